package rdkit

/*
#cgo LDFLAGS: -lRDKitDescriptors -lRDKitPartialCharges -lRDKitFingerprints -lRDKitSubstructMatch -lRDKitDataStructs
#include "descriptors.h"
#include "parse.h"
*/
import "C"

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"unsafe"
)

// DescriptorCount is the number of descriptors of a molecule.
const DescriptorCount = C.PACIA_DESCRIPTORS

// DescriptorNames returns RDKit's names of the descriptors, in their order, which is
// that of FS-Mol's task files.
func DescriptorNames() [DescriptorCount]string {
	var names [DescriptorCount]string
	for i := range names {
		names[i] = C.GoString(C.pacia_rdkit_descriptor_name(C.int32_t(i)))
	}
	return names
}

// Descriptors appends the [DescriptorCount] descriptors of a SMILES, or returns an
// error that gives RDKit's own reason in one line. One that is not defined for the
// molecule, a partial charge beside a metal, say, is NaN or infinite.
//
// What [Parser.Parse] refuses before RDKit sees it is also refused here.
func Descriptors(ctx context.Context, to []float64, smiles string) ([]float64, error) {
	if err := check(smiles); err != nil {
		return to, err
	}
	p := apart.Load()
	if p == nil {
		return descriptorsHere(to, smiles)
	}
	answer, err := p.one(ctx, question{kind: askDescriptors, text: smiles})
	for ; len(answer) >= 8; answer = answer[8:] {
		to = append(to, math.Float64frombits(binary.LittleEndian.Uint64(answer)))
	}
	return to, err
}

func descriptorsHere(to []float64, smiles string) ([]float64, error) {
	var values [DescriptorCount]C.double
	var reason [256]C.char
	status := C.pacia_rdkit_descriptors((*C.char)(unsafe.Pointer(unsafe.StringData(smiles))), C.int32_t(len(smiles)),
		&values[0], &reason[0], C.int32_t(len(reason)))
	if status != C.PACIA_PARSE_OK {
		return to, errors.New(C.GoString(&reason[0]))
	}
	for _, v := range values {
		to = append(to, float64(v))
	}
	return to, nil
}
