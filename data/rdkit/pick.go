package rdkit

/*
#cgo LDFLAGS: -lRDKitSimDivPickers
#include "rdkit.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"
)

// MaxPool is the largest number of molecules that [MaxMin] accepts.
const MaxPool = 100_000

// MaxMin picks diverse molecules by their fingerprints. It picks the first molecule, and then repeatedly the
// molecule with the smallest similarity to its most similar pick; the first one of equals. (Ashton et al.:
// Identification of Diverse Database Subsets using Property-Based and Fragment-Based Molecular Descriptions,
// Quant. Struct.-Act. Relat. 21, 2002; RDKit's MaxMinPicker.) Similarity is the Tanimoto coefficient
// Σ min / Σ max of the counts. MaxMin returns the indices of the picks, in the order of picking. There are picks of
// them, or as many as there are molecules.
func MaxMin(molecules []Counts, picks int) ([]int, error) {
	picks = min(picks, len(molecules))
	if picks <= 0 {
		return nil, nil
	}
	if len(molecules) > MaxPool {
		return nil, fmt.Errorf("a pool of %d molecules to pick from, more than %d", len(molecules), MaxPool)
	}
	ptr, entries := make([]C.int32_t, 1, len(molecules)+1), 0
	for _, m := range molecules {
		entries += len(m.Bit)
		ptr = append(ptr, C.int32_t(entries))
	}
	bit, count := make([]uint16, 0, entries+1), make([]uint16, 0, entries+1) // the addresses must not be nil
	for _, m := range molecules {
		bit, count = append(bit, m.Bit...), append(count, m.Count...)
	}
	picked := make([]C.int32_t, picks)
	var reason [256]C.char
	status := C.pacia_rdkit_max_min(&ptr[0], (*C.uint16_t)(unsafe.SliceData(bit)), (*C.uint16_t)(unsafe.SliceData(count)),
		C.int32_t(len(molecules)), C.int32_t(picks), &picked[0], &reason[0], C.int32_t(len(reason)))
	if status != C.PACIA_OK {
		return nil, errors.New(strings.TrimSpace(C.GoString(&reason[0])))
	}
	numbers := make([]int, picks)
	for i, p := range picked {
		numbers[i] = int(p)
	}
	return numbers, nil
}
