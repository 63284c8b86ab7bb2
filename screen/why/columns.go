package why

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pacia/internal/each"
)

// A Column is a column that reasons add to the ranked table, with the cell of a row.
type Column struct {
	Name string
	Cell func(*Reasons) string
}

// Columns are the columns of reasons. Shares of neighbors look like "CHEMBL25 (active) +0.412; CCO (inactive) -0.120".
var Columns = slices.Concat([]Column{
	{"log_odds", func(r *Reasons) string { return fixed(r.LogOdds) }},
	{"neighbors", (*Reasons).neighborList},
	{"other_neighbors", func(r *Reasons) string { return fixed(r.Others) }},
	{"any_assay", func(r *Reasons) string { return fixed(r.AnyAssay) }},
	{"prior_shift", func(r *Reasons) string { return fixed(r.Prior) }},
	{"fingerprint_share", func(r *Reasons) string { return fixed(r.Fingerprints) }},
	{"kernel_shares", (*Reasons).partList},
	{"atoms", (*Reasons).atomList},
	{"read_as", func(r *Reasons) string { return r.SMILES }},
}, besideColumns(false), besideColumns(true), []Column{
	{"known_active", knownColumn(func(k *Known) string { return strconv.Itoa(k.Active) })},
	{"known_inactive", knownColumn(func(k *Known) string { return strconv.Itoa(k.Inactive) })},
	{"known_targets", knownColumn((*Known).String)},
})

// ColumnNames returns the names of Columns.
func ColumnNames() []string { return each.Of(Columns, func(c Column) string { return c.Name }) }

// besideColumns returns the columns of the contrast with a measured molecule of a class.
func besideColumns(active bool) []Column {
	of := func(cell func(*Contrast) string) func(*Reasons) string {
		return func(r *Reasons) string {
			if i := slices.IndexFunc(r.Contrasts, func(c Contrast) bool { return c.Active == active }); i >= 0 {
				return cell(&r.Contrasts[i])
			}
			return ""
		}
	}
	label := labelOf(active)
	return []Column{
		{"beside_" + label, of((*Contrast).Called)},
		{"beside_" + label + "_log_odds", of(func(c *Contrast) string { return fixed(c.LogOdds) })},
		{label + "_changes", of((*Contrast).changeList)},
		{label + "_core", of(func(c *Contrast) string { return c.Core })},
	}
}

// knownColumn returns the cell of what is known of a molecule; empty if nothing is.
func knownColumn(cell func(*Known) string) func(*Reasons) string {
	return func(r *Reasons) string {
		if r.Known == nil {
			return ""
		}
		return cell(r.Known)
	}
}

func (r *Reasons) neighborList() string {
	near := each.Of(r.Neighbors, func(n Neighbor) string { return fmt.Sprintf("%s (%s) %+.3f", n.Called(), n.Label(), n.Share) })
	return strings.Join(near, "; ")
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
