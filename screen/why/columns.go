package why

import (
	"fmt"
	"strconv"
	"strings"
)

// Columns are what the ranked table gets, in the order of [Reasons.Cells].
var Columns = []string{"log_odds", "neighbors", "other_neighbors", "any_assay", "fingerprint_share", "atoms", "read_as", "known_active", "known_inactive", "known_assays"}

// Cells are the row's. Shares of neighbors are such as "CHEMBL25 (active) +0.412; CCO (inactive) -0.120".
func (r *Reasons) Cells() []string {
	if r == nil {
		return nil
	}
	near := make([]string, len(r.Neighbors))
	for i, n := range r.Neighbors {
		near[i] = fmt.Sprintf("%s (%s) %+.3f", n.Called(), n.Label(), n.Share)
	}
	cells := []string{fixed(r.LogOdds), strings.Join(near, "; "), fixed(r.Others), fixed(r.AnyAssay), fixed(r.Fingerprints), r.AtomList(), r.SMILES, "", "", ""}
	if k := r.Known; k != nil {
		cells[7], cells[8], cells[9] = strconv.Itoa(k.Active), strconv.Itoa(k.Inactive), k.String()
	}
	return cells
}

// AtomList is the shares of atoms with a blank between two, as RDKit reads properties of atoms in an SD
// file.
func (r *Reasons) AtomList() string {
	all := make([]string, len(r.Atoms))
	for i, s := range r.Atoms {
		all[i] = fixed(s)
	}
	return strings.Join(all, " ")
}

// Called is the name of a neighbor or, without one, its SMILES.
func (n *Neighbor) Called() string {
	if n.Name != "" {
		return n.Name
	}
	return n.SMILES
}

// Label is active or inactive.
func (n *Neighbor) Label() string {
	if n.Active {
		return "active"
	}
	return "inactive"
}

// String is such as "active in CHEMBL1799741 (Cytochrome P450 3A4); inactive in CHEMBL1614250".
func (k *Known) String() string {
	all := make([]string, len(k.Assays))
	for i, a := range k.Assays {
		all[i] = "inactive in " + a.Name
		if a.Active {
			all[i] = "active in " + a.Name
		}
		if a.Target != "" {
			all[i] += " (" + a.Target + ")"
		}
	}
	if rest := k.Active + k.Inactive - len(k.Assays); rest > 0 {
		all = append(all, fmt.Sprintf("and %d assays more", rest))
	}
	return strings.Join(all, "; ")
}

func fixed(v float64) string { return strconv.FormatFloat(v, 'f', 5, 64) }
