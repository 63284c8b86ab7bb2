package why

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pacia/internal/each"
)

// Columns are the columns that reasons add to the ranked table, in the order of [Reasons.Cells].
var Columns = []string{
	"log_odds", "neighbors", "other_neighbors", "any_assay", "prior_shift", "fingerprint_share", "kernel_shares", "atoms", "read_as",
	"beside_inactive", "beside_inactive_log_odds", "inactive_changes", "inactive_core",
	"beside_active", "beside_active_log_odds", "active_changes", "active_core",
	"known_active", "known_inactive", "known_targets",
}

// Cells returns the cells of a row. Shares of neighbors look like
// "CHEMBL25 (active) +0.412; CCO (inactive) -0.120".
func (r *Reasons) Cells() []string {
	if r == nil {
		return nil
	}
	near := each.Of(r.Neighbors, func(n Neighbor) string { return fmt.Sprintf("%s (%s) %+.3f", n.Called(), n.Label(), n.Share) })
	cells := []string{
		fixed(r.LogOdds), strings.Join(near, "; "), fixed(r.Others), fixed(r.AnyAssay), fixed(r.Prior), fixed(r.Fingerprints), r.partList(),
		r.atomList(), r.SMILES,
	}
	for _, active := range []bool{false, true} {
		beside := make([]string, 4)
		if i := slices.IndexFunc(r.Contrasts, func(c Contrast) bool { return c.Active == active }); i >= 0 {
			c := &r.Contrasts[i]
			beside = []string{c.Called(), fixed(c.LogOdds), c.changeList(), c.Core}
		}
		cells = append(cells, beside...)
	}
	known := make([]string, 3)
	if k := r.Known; k != nil {
		known = []string{strconv.Itoa(k.Active), strconv.Itoa(k.Inactive), k.String()}
	}
	return append(cells, known...)
}

// changeList formats the changes, such as "[*:1]F in place of [*:1]OC +0.412; [*:2]Cl in place of [*:2][H] -0.120".
func (c *Contrast) changeList() string {
	all := each.Of(c.Changes, func(one Change) string { return fmt.Sprintf("%s in place of %s %+.3f", one.Here, one.There, one.Share) })
	return strings.Join(all, "; ")
}

// partList formats the parts, such as "fingerprints +0.031; learnt vectors +0.902".
func (r *Reasons) partList() string {
	all := make([]string, len(r.Parts))
	for i, p := range r.Parts {
		all[i] = fmt.Sprintf("%s %+.3f", p.Name, p.Share)
	}
	return strings.Join(all, "; ")
}

// atomList formats the shares of atoms, separated by blanks.
func (r *Reasons) atomList() string {
	all := each.Of(r.Atoms, fixed)
	return strings.Join(all, " ")
}

// perLine is the number of shares in a line of an SD file, which may have 200 characters.
const perLine = 20

// AtomLines formats the shares of atoms as an atom property that RDKit reads from SD files (atom.dprop.NAME).
func (r *Reasons) AtomLines() string {
	var lines []string
	for part := range slices.Chunk(r.Atoms, perLine) {
		lines = append(lines, (&Reasons{Atoms: part}).atomList())
	}
	return strings.Join(lines, "\n")
}

// Called returns the name of a neighbor or, if it has none, its SMILES.
func (n *Neighbor) Called() string { return cmp.Or(n.Name, n.SMILES) }

// Called returns the name of the measured molecule or, if it has none, its SMILES.
func (c *Contrast) Called() string { return cmp.Or(c.Name, c.SMILES) }

// Label returns "active" or "inactive".
func (n *Neighbor) Label() string { return labelOf(n.Active) }

// Label returns the label of the measured molecule, "active" or "inactive".
func (c *Contrast) Label() string { return labelOf(c.Active) }

func labelOf(active bool) string {
	if active {
		return "active"
	}
	return "inactive"
}

// listed is the maximum number of targets in a text.
const listed = 10

// String formats the targets, such as "Cytochrome P450 3A4 3 of 4; CHEMBL1614250 0 of 1".
func (k *Known) String() string {
	var all []string
	for _, t := range k.Targets[:min(len(k.Targets), listed)] {
		all = append(all, fmt.Sprintf("%s %d of %d", t.Name, t.Active, t.Assays))
	}
	if rest := len(k.Targets) - len(all); rest > 0 {
		all = append(all, fmt.Sprintf("and %d targets more", rest))
	}
	return strings.Join(all, "; ")
}

func fixed(v float64) string { return strconv.FormatFloat(v, 'f', 5, 64) }
