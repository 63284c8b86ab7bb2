package assay

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/data/note"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
)

// short keeps one copy of each short text, since most cells are 0 or 1.
type short map[string]string

func (s *short) intern(cell string) string {
	if len(cell) > 4 {
		return strings.Clone(cell)
	}
	if *s == nil {
		*s = short{}
	}
	kept, known := (*s)[cell]
	if !known {
		kept = strings.Clone(cell)
		(*s)[kept] = kept
	}
	return kept
}

// store stores the cells of a molecule. The number of columns of an SD file may grow while it is read.
func (r *reading) store(molecule int32, row table.Row) {
	for len(r.cells) < len(r.rows.Header) {
		r.cells = append(r.cells, nil)
	}
	for i, cell := range row.Fields {
		if i == r.rows.SMILES || strings.TrimSpace(cell) == "" {
			continue
		}
		r.cells[i] = append(r.cells[i], label.Cell{Row: molecule, Text: r.short.intern(label.Plain(cell))})
	}
}

// rowsOfLabel is the number of rows of a table for each labelled molecule that Options.Most allows. The other rows
// have no label in the column that is read, such as most rows of a table of many assays.
const rowsOfLabel = 50

// checkRows bounds the memory of a table with Options.Most.
func (r *reading) checkRows() error {
	most := rowsOfLabel * r.options.MaxLabelled
	if most == 0 || len(r.SMILES) <= most {
		return nil
	}
	return &badinput.Error{File: r.File, What: fmt.Sprintf("more than %s rows, with labels or without", ui.Grouped(most)),
		Fix: "keep those with labels; pacia predict takes any number"}
}

// tooMany returns the error for a task with more than Options.Most labelled molecules.
func (r *reading) tooMany(column int) error {
	return &TooMany{&badinput.Error{File: r.File, Column: r.rows.Header[column],
		What: fmt.Sprintf("more than %d labelled molecules", r.options.MaxLabelled), Fix: "choose some of them"}}
}

// TooMany is the error of a table with more than Options.Most labelled molecules.
type TooMany struct{ Fault *badinput.Error }

func (e *TooMany) Error() string { return e.Fault.Error() }

// Unwrap returns e.Fault.
func (e *TooMany) Unwrap() error { return e.Fault }

func (r *reading) header() *label.Header {
	return &label.Header{
		Names: r.rows.Header,
		Cells: func(column int) []string {
			return each.Of(r.column(column), func(cell label.Cell) string { return cell.Text })
		},
		Skip: func(column int) bool { return column == r.rows.SMILES || column == r.rows.Names },
	}
}

func (r *reading) column(at int) []label.Cell {
	if at >= len(r.cells) {
		return nil
	}
	return r.cells[at]
}

// task reads column at as task i of the named columns.
func (r *reading) task(h *label.Header, at, i int) error {
	unit := ""
	if at < len(r.units) {
		unit = r.units[at]
	}
	of, err := r.options.Labels.Read(h, at, i, r.column, r.rows.Separator(), unit)
	if err != nil {
		f := *err.(*badinput.Error) //nolint:errorlint // as Read promises
		if f.File = r.File; f.Row > 0 {
			f.Row = r.Lines[f.Row-1]
		}
		return &f
	}
	t := Task{Name: r.rows.Header[at], Rule: of.Rule, Missing: len(r.SMILES) - len(of.Rows)}
	for k, v := range of.Verdicts {
		row := of.Rows[k]
		switch {
		case v <= label.Active:
			t.Rows, t.Labels = append(t.Rows, row), append(t.Labels, uint8(v))
			if of.Values != nil {
				t.Values, t.Sides = append(t.Values, of.Values[k]), append(t.Sides, of.Sides[k])
			}
		case v == label.Missing:
			t.Missing++
		default:
			t.Unlabelled = append(t.Unlabelled, Unlabelled{Row: row, Verdict: v, Why: of.Why[k]})
		}
	}
	for _, n := range of.Notes {
		for k, at := range n.Rows {
			n.Rows[k] = r.Lines[of.Rows[at]]
		}
		t.Notes = append(t.Notes, n)
	}
	t.Notes = append(t.Notes, r.leftOut(&t)...)
	if r.options.MaxLabelled > 0 && len(t.Labels) > r.options.MaxLabelled {
		return r.tooMany(at)
	}
	if strings.EqualFold(t.Name, "label") && r.options.Called != "" {
		t.Name = r.options.Called
	}
	r.Tasks = append(r.Tasks, t)
	return nil
}

// leftOut notes the cells that are left out because of their type or unit, or because they
// cannot be read.
func (r *reading) leftOut(t *Task) (notes []note.Note) {
	lines := map[label.Verdict][]int{}
	why := map[label.Verdict][]string{}
	for _, l := range t.Unlabelled {
		lines[l.Verdict] = append(lines[l.Verdict], r.Lines[l.Row])
		if !slices.Contains(why[l.Verdict], l.Why) {
			why[l.Verdict] = append(why[l.Verdict], l.Why)
		}
	}
	for _, kind := range []struct {
		verdict      label.Verdict
		text, change string
	}{
		{label.Unread, "left out, as it cannot be read", "--active-words, --inactive-words"},
		{label.Other, "left out, as it is of another type or unit", "--type, --value-unit"},
	} {
		if rows := lines[kind.verdict]; len(rows) > 0 {
			text := kind.text + ": " + why[kind.verdict][0]
			if more := len(why[kind.verdict]) - 1; more > 0 {
				text += ", and " + ui.Count(more, "more reason")
			}
			notes = append(notes, note.Note{Text: text, Rows: rows, Switch: kind.change, Warning: kind.verdict == label.Unread})
		}
	}
	return notes
}

// Median returns the median, the lowest and the highest of the values that are not NaN; NaN if there are
// none.
func Median(values []float64) (median, low, high float64) {
	v := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(v) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2, v[0], v[len(v)-1]
}
