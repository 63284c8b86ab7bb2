package rdkit

/*
#include "rdkit.h"
*/
import "C"

import (
	"context"
	"errors"
)

// Canonical returns the canonical, isomeric SMILES of a molecule. It is equal for all SMILES of the
// same molecule. That of a racemate has an extension between bars, and so differs from that of an enantiomer.
// Canonical refuses what [Parser.Parse] refuses.
func Canonical(ctx context.Context, smiles string) (string, error) { return rewrite(ctx, smiles, 0) }

// LargestFragment returns the canonical SMILES of the fragment with the most heavy atoms,
// which removes counterions and solvents. Among fragments with equally many, it is the one with the
// largest sum of atomic numbers, or else the first one.
func LargestFragment(ctx context.Context, smiles string) (string, error) {
	return rewrite(ctx, smiles, C.PACIA_REWRITE_LARGEST)
}

// Tautomer returns the canonical SMILES of RDKit's canonical tautomer, without stereochemistry. Rules may also move
// hydrogens of carbon, and join different compounds. It takes 5 ms in the mean.
func Tautomer(ctx context.Context, smiles string) (string, error) {
	return rewrite(ctx, smiles, C.PACIA_REWRITE_TAUTOMER)
}

// ToBlock returns a molblock of a SMILES with coordinates in the plane, as at the beginning of
// records of SD files. With more than 250 atoms, all coordinates are 0. The first line, a name, is
// empty. ToBlock refuses what [Parser.Parse] refuses.
func ToBlock(ctx context.Context, smiles string) (string, error) {
	return rewrite(ctx, smiles, C.PACIA_REWRITE_TO_BLOCK)
}

func rewrite(ctx context.Context, smiles string, how int32) (string, error) {
	if err := check(smiles); err != nil {
		return "", err
	}
	return rewritten(ctx, smiles, how)
}

func rewritten(ctx context.Context, text string, how int32) (string, error) {
	if text == "" {
		return "", errors.New("no molecule")
	}
	answer, err := question{kind: askRewrite, a: how, text: text}.ask(ctx)
	return string(answer), err
}
