package assay

import (
	"fmt"
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/data/note"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/ui"
)

// asked is a condition on the rows that count.
type asked struct {
	label.Condition
	held   bool     // by a row
	values []string // the first different cells of its column
}

// mostValues is the number of a column's values that an error lists.
const mostValues = 12

// wanted reports whether a row fulfils all conditions of the user. The columns of an SD file, which grow while it is
// read, are looked up for each row.
func (r *reading) wanted(row *table.Row) (bool, error) {
	if r.asked == nil {
		for _, c := range r.options.Labels.Rows {
			r.asked = append(r.asked, asked{Condition: c})
		}
	}
	all := true
	for i := range r.asked {
		a := &r.asked[i]
		c, found := a.In(func(name string) int { return table.Column(r.rows.Header, name) })
		if !found {
			if r.rows.Form != table.SDFile {
				return false, r.noColumn(c)
			}
			all = false
			continue
		}
		a.Condition = c
		if row.Reason != nil {
			continue // the cells may be shifted: it is listed as a row that cannot be read
		}
		cell := label.Plain(c.Cell(row.Fields))
		if len(a.values) < mostValues && !slices.Contains(a.values, cell) {
			a.values = append(a.values, strings.Clone(cell))
		}
		holds := c.Holds(row.Fields) || c.Sign == "=" && c.IsText && strings.EqualFold(cell, label.Plain(c.Text))
		a.held = a.held || holds
		all = all && holds
	}
	if !all {
		r.Without++
	}
	return all, nil
}

func (r *reading) noColumn(c label.Condition) error {
	fix := "write --rows with one of " + badinput.List(r.rows.Header)
	if near := badinput.Nearest(c.Column, r.rows.Header); near != "" {
		fix = "the nearest is " + badinput.Quote(near)
	}
	return &badinput.Error{File: r.File, Row: max(1, r.rows.HeaderLine), What: "no column " + badinput.Quote(c.Column) +
		" for the rows of " + badinput.Quote(c.String()), Fix: fix}
}

// unfulfilled returns an error if no row fulfils a condition, or all of them.
func (r *reading) unfulfilled() error {
	if r.Without == 0 {
		return nil
	}
	for _, a := range r.asked {
		switch {
		case len(a.values) == 0:
			return r.noColumn(a.Condition)
		case !a.held:
			values := a.values
			if len(values) == mostValues {
				values = append(slices.Clone(values), "…")
			}
			return &badinput.Error{File: r.File, Column: a.Column, What: "no row fulfils " + badinput.Quote(a.String()),
				Fix: "its values are " + badinput.List(values)}
		}
	}
	if len(r.SMILES) == 0 {
		return &badinput.Error{File: r.File, What: "no row fulfils all conditions of --rows", Fix: "leave some out"}
	}
	return nil
}

// noteWithout notes how many rows the conditions leave out.
func (r *reading) noteWithout() {
	if len(r.asked) > 0 {
		text := fmt.Sprintf("%s count, %s do not", ui.Count(len(r.SMILES), "row"), ui.Grouped(r.Without))
		r.Notes = append(r.Notes, note.Note{Text: text, Switch: "--rows"})
	}
}

// An Other is a column beside molecules, names and the labels. Its values may tell the assays of a table apart.
type Other struct {
	Name  string
	Kind  Kind
	Cells []string // [n] of the molecules; empty strings for missing ones
}

// mostApart is the number of rows up to which columns that tell assays apart are looked for. It bounds the memory.
const mostApart = 200_000

// others collects the columns of Assay.Others, which have values for some of the molecules with labels.
func (r *reading) others() {
	h := r.header()
	chosen := map[string]bool{}
	for _, a := range r.asked {
		chosen[a.Column] = true
	}
	for at, name := range r.rows.Header {
		if h.Skip(at) || h.Role(at) || name == r.Tasks[0].Name || table.NameLike(name) || chosen[name] || name == "" {
			continue
		}
		kind := kindOf(name)
		measured := label.NamesEndpoint(name) && holds(r.column(at), true)
		if kind != OfConcentrations && kind != OfTimes && (measured || !kind.Apart() && kind != OfRuns && holds(r.column(at), false)) {
			continue // of another assay
		}
		o := Other{Name: name, Kind: kind, Cells: make([]string, len(r.SMILES))}
		different := map[string]bool{}
		for _, cell := range r.column(at) {
			text := strings.TrimSpace(cell.Text)
			o.Cells[cell.Row] = text
			different[text] = true
		}
		if len(different) > 0 && 2*len(different) <= max(len(r.SMILES), 4) {
			r.Others = append(r.Others, o)
		}
	}
}
