package screen

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"pacia/data/assay"
	"pacia/data/note"
	"pacia/data/rdkit"
	"pacia/data/replicates"
	"pacia/data/standard"
	"pacia/data/table"
	"pacia/internal/each"
	"pacia/screen/ranking"
)

// A Curation is a table of molecules as it will be used, with all assumptions made.
type Curation struct {
	*assay.Assay
	Seen    []string       // [n] SMILES that the model of predict reads; empty for rows without a molecule
	Repeats []int          // [n] line of the first row of the same molecule; 0 for that row itself
	LeftOut map[int]string // reasons for which rows are left out, by their numbers
	Changes standard.Changes

	apart []note.Note // columns that tell the assays of the rows apart
}

// Curate finds the form in which a model reads each molecule of a table, and the rows that repeat a molecule.
func Curate(ctx context.Context, a *assay.Assay, o ranking.Options) (*Curation, error) {
	n := len(a.SMILES)
	c := &Curation{Assay: a, Seen: make([]string, n), Repeats: make([]int, n), LeftOut: map[int]string{}}
	keys := make([]string, n)
	for i, smiles := range a.SMILES {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		reason := a.Reasons[i]
		var seen string
		var change standard.Change
		if reason == nil {
			seen, change, reason = o.Standard.Molecule(ctx, smiles)
		}
		if reason == nil {
			_, reason = rdkit.Parse(seen)
		}
		if reason != nil {
			c.LeftOut[i] = reason.Error()
			continue
		}
		c.Seen[i] = seen
		c.Changes.Add(change, a.Lines[i])
		keys[i] = replicates.Key(ctx, seen)
	}
	molecules, first := replicates.Group(keys)
	for i, molecule := range molecules {
		if at := int(first[molecule]); at != i {
			c.Repeats[i] = a.Lines[at]
		}
	}
	for k := range a.Tasks {
		for _, left := range a.Tasks[k].Unlabelled {
			c.leave(left.Row, a.Tasks[k].Name+": "+left.Why)
		}
		c.tied(&a.Tasks[k], molecules)
	}
	if len(a.Tasks) == 1 {
		c.tellApart(&a.Tasks[0], molecules)
	}
	return c, nil
}

// tellApart notes the columns whose values are different assays or runs of the rows with labels.
func (c *Curation) tellApart(t *assay.Task, molecules []int32) {
	var rows []assay.Marked
	for k, row := range t.Rows {
		if c.Seen[row] != "" {
			rows = append(rows, assay.Marked{Row: row, Molecule: molecules[row], Label: t.Labels[k], Value: math.NaN(), Measured: t.Value(k)})
		}
	}
	for _, s := range c.Splits(rows) {
		if s.Decides() || s.Notable() {
			c.apart = append(c.apart, note.Note{Text: s.String(), Switch: s.Switch("")})
		}
	}
}

// tied marks the rows of molecules that have as many active as inactive rows in a task, which predict leaves out.
func (c *Curation) tied(t *assay.Task, molecules []int32) {
	labelled := each.At(molecules, t.Rows)
	votes := replicates.Count(labelled, t.Labels)
	for k, row := range t.Rows {
		if votes[labelled[k]].Tied() {
			c.leave(row, t.Name+": the molecule has as many active as inactive rows")
		}
	}
}

// leave adds a reason for which a row is left out.
func (c *Curation) leave(row int32, why string) {
	if before := c.LeftOut[int(row)]; before != "" {
		why = before + "; " + why
	}
	c.LeftOut[int(row)] = why
}

// Assumptions returns the notes about the file, its tasks and its molecules.
func (c *Curation) Assumptions() []note.Note {
	all := slices.Clone(c.Notes)
	for k := range c.Tasks {
		t := &c.Tasks[k]
		for _, n := range t.Notes {
			if len(c.Tasks) > 1 {
				n.Text = t.Name + ": " + n.Text
			}
			all = append(all, n)
		}
		if undecided := t.Undecided(); len(undecided) > 0 {
			all = append(all, note.Note{Text: t.Name + ": not decided", Rows: c.lines(undecided)})
		}
	}
	all = append(append(all, c.apart...), c.Changes.Notes("--as-drawn")...)
	var repeats []int
	for i, of := range c.Repeats {
		if of > 0 {
			repeats = append(repeats, c.Lines[i])
		}
	}
	if len(repeats) > 0 {
		n := note.Note{Text: "a row repeats a molecule", Rows: repeats}
		if len(repeats) > 1 {
			n.Text = fmt.Sprintf("%d rows repeat a molecule", len(repeats))
		}
		if c.Tasks == nil {
			n.Text += ": all rows of a library are ranked"
		} else {
			n.Text, n.Switch = n.Text+": predict merges them", "--repeats"
		}
		all = append(all, n)
	}
	return all
}

func (c *Curation) lines(rows []int32) []int {
	return each.At(c.Lines, rows)
}

// Write writes the table as it will be used as CSV, with a row for each molecule of the file.
func (c *Curation) Write(out io.Writer) error {
	w := csv.NewWriter(out)
	header := []string{"row", "name", "smiles", "model_sees", "repeats_row"}
	labels := make([][]string, len(c.SMILES))
	for k := range c.Tasks {
		t := &c.Tasks[k]
		header = append(header, t.Name)
		for i, cell := range cellsOf(t, len(c.SMILES)) {
			if c.Seen[i] == "" {
				cell = "" // a row without a molecule has no label
			}
			labels[i] = append(labels[i], cell)
		}
	}
	if err := w.Write(table.PlainAll(append(header, "left_out"))); err != nil {
		return err
	}
	for i, smiles := range c.SMILES {
		row := []string{strconv.Itoa(c.Lines[i]), "", smiles, c.Seen[i], ""}
		if c.Names != nil {
			row[1] = c.Names[i]
		}
		if c.Repeats[i] > 0 {
			row[4] = strconv.Itoa(c.Repeats[i])
		}
		if err := w.Write(table.PlainAll(append(append(row, labels[i]...), c.LeftOut[i]))); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// cellsOf returns the labels of n molecules as cells: 1, 0 or empty.
func cellsOf(t *assay.Task, n int) []string {
	cells := make([]string, n)
	for k, row := range t.Rows {
		cells[row] = strconv.Itoa(int(t.Labels[k]))
	}
	return cells
}
