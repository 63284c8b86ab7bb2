package rdkit

/*
#include "rdkit.h"
*/
import "C"

import (
	"context"
	"encoding/binary"
	"math"
	"strings"
)

// DescriptorCount is the number of descriptors of a molecule.
const DescriptorCount = C.PACIA_DESCRIPTORS

// DescriptorNames returns RDKit's names of the descriptors in the order of FS-Mol's task
// files.
func DescriptorNames(ctx context.Context) ([]string, error) {
	answer, err := question{kind: askDescriptors, a: 1, text: "C"}.ask(ctx)
	return strings.Fields(string(answer)), err
}

// Descriptors appends the [DescriptorCount] descriptors of a SMILES. The error is RDKit's own
// reason in one line. A descriptor that is not defined for the molecule, such as a partial charge
// beside a metal, is NaN or infinite.
//
// Molecules that [Parser.Parse] refuses before it calls RDKit are also refused here.
func Descriptors(ctx context.Context, to []float64, smiles string) ([]float64, error) {
	if err := check(smiles); err != nil {
		return to, err
	}
	answer, err := question{kind: askDescriptors, text: smiles}.ask(ctx)
	for ; len(answer) >= 8; answer = answer[8:] {
		to = append(to, math.Float64frombits(binary.LittleEndian.Uint64(answer)))
	}
	return to, err
}
