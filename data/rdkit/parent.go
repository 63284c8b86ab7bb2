package rdkit

/*
#include "rdkit.h"
*/
import "C"

import (
	"context"
	"slices"
	"strings"
)

// Parent returns the parent molecule of a salt or a solvate, without charges that moving
// hydrogens can remove, as a canonical SMILES (parent.h). If nothing changes, it returns the given
// text. It refuses what [Parser.Parse] refuses.
func Parent(ctx context.Context, smiles string) (string, error) {
	if isParent(smiles) {
		return smiles, nil
	}
	if readable := withoutSilicate(smiles); readable != smiles {
		return Parent(ctx, readable)
	}
	parent, err := rewrite(ctx, smiles, C.PACIA_REWRITE_PARENT)
	switch {
	case err != nil:
		return smiles, err
	case parent == "" && strings.Contains(smiles, "[H]"):
		return Canonical(ctx, smiles)
	case parent == "":
		return smiles, nil
	}
	return parent, nil
}

// withoutSilicate removes hexafluorosilicate from the fragments of a SMILES, if others remain: RDKit 2022.09 refuses its
// valence.
func withoutSilicate(smiles string) string {
	if !strings.Contains(smiles, "[Si-2]") {
		return smiles
	}
	kept := slices.DeleteFunc(strings.Split(smiles, "."), func(fragment string) bool {
		return strings.NewReplacer("F", "", "(", "", ")", "").Replace(fragment) == "[Si-2]"
	})
	if len(kept) == 0 {
		return smiles
	}
	return strings.Join(kept, ".")
}

// balanced removes groups whose charges are kept: nitro, N-oxides, azides, diazo compounds.
var balanced = strings.NewReplacer("[N+](=O)[O-]", "", "[N+]([O-])=O", "", "[O-][N+](=O)", "", "O=[N+]([O-])", "",
	"[n+]([O-])", "", "[O-][n+]", "", "[N-]=[N+]=", "", "[N+]=[N-]", "",
	"[S+]([O-])", "", "[O-][S+]", "", "[S@+]([O-])", "", "[S@@+]([O-])", "", "[O-][S@+]", "", "[O-][S@@+]", "")

// isParent reports whether a SMILES certainly is its own parent: it has one fragment, no charge that could be
// removed, no metal, no isotope, no atom number and no hydrogen as an atom. So RDKit is not called for 95 of 100
// molecules.
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
			return true // malformed: RDKit gives the reason later
		}
		if atom == "" || atom[0] <= '9' || atom == "H" || strings.ContainsAny(atom, "+-:") || isMetal(atom) {
			return false
		}
		rest = after
	}
}

// isMetal reports whether an atom is of a metal that may be a salt's ion.
func isMetal(symbol string) bool {
	switch symbol {
	case "Li", "Na", "K", "Rb", "Cs", "Ag", "Mg", "Ca", "Sr", "Ba", "Zn", "Al":
		return true
	}
	return false
}
