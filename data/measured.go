package data

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pacia/data/label"
	tables "pacia/data/table"
	"pacia/internal/badinput"
)

// A measuredTable reads columns as label.Tasks have it: each is kept whole, since what
// a comma in it means only all of its cells can tell.
type measuredTable struct {
	by    label.Tasks
	cells map[int][]string // [molecules] by the number of the column; what lacks at the end is empty
	told  []string         // of each task
}

// row keeps the cells of a molecule.
func (m *measuredTable) row(molecule int, fields []string, smiles int) {
	for c, cell := range fields {
		if c == smiles || cell == "" {
			continue
		}
		column := m.cells[c]
		for len(column) < molecule {
			column = append(column, "")
		}
		m.cells[c] = append(column, strings.Clone(cell))
	}
}

// tasks makes of the columns those that are asked for or, where none are, all that hold
// labels or measurements.
func (m *measuredTable) tasks(r *tables.Reader, lines []int32) (all []Task, err error) {
	numbers, err := m.chosen(r)
	if err != nil {
		return nil, err
	}
	for i, c := range numbers {
		column := m.column(r, c, len(lines))
		if len(m.by.Columns) == 0 {
			words, values := kinds(column.Cells)
			switch {
			case words && tables.NameLike(column.Name), !words && values == 0:
				continue // names, or remarks
			case !words:
				column.Rule = m.by.Rule(0)
			}
		} else {
			column.Rule = m.by.Rule(i)
		}
		t, err := m.task(r.Name, column, lines)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// chosen are the numbers of the columns.
func (m *measuredTable) chosen(r *tables.Reader) (numbers []int, err error) {
	for _, name := range m.by.Columns {
		c := tables.Column(r.Header, name)
		if c < 0 || c == r.SMILES {
			return nil, &badinput.Error{File: r.Name, Row: 1, What: fmt.Sprintf("no column %s for labels", badinput.Quote(name)),
				Fix: "the nearest is " + badinput.Quote(tables.Nearest(name, r.Header))}
		}
		numbers = append(numbers, c)
	}
	if len(m.by.Columns) > 0 {
		return numbers, nil
	}
	var beside []int
	for c := range r.Header {
		beside = append(beside, label.Beside(r.Header, c, label.SignWords...), label.Beside(r.Header, c, label.UnitWords...))
	}
	for c, name := range r.Header {
		if c != r.SMILES && !tables.NameLike(name) && !slices.Contains(beside, c) {
			numbers = append(numbers, c)
		}
	}
	return numbers, nil
}

// column is that of a number, with those beside it.
func (m *measuredTable) column(r *tables.Reader, c, molecules int) label.Column {
	whole := func(c int) []string {
		if c < 0 {
			return nil
		}
		cells := m.cells[c]
		for len(cells) < molecules {
			cells = append(cells, "")
		}
		return cells
	}
	return label.Column{
		Name: r.Header[c], Decimal: m.by.Decimal, Commas: r.Commas, Cells: whole(c),
		Signs: whole(label.Beside(r.Header, c, label.SignWords...)), Units: whole(label.Beside(r.Header, c, label.UnitWords...)),
	}
}

// kinds tells whether all cells are words, and how many are measurements.
func kinds(cells []string) (words bool, values int) {
	words = true
	for _, cell := range cells {
		if _, ok := label.Word(cell); ok {
			continue
		}
		words = false
		if label.IsMeasurement(cell) {
			values++
		}
	}
	return words, values
}

// task reads a column.
func (m *measuredTable) task(file string, column label.Column, lines []int32) (Task, error) {
	t := Task{Name: column.Name}
	verdicts, err := column.Read()
	var wrong *label.CellError
	if errors.As(err, &wrong) {
		if len(m.by.Columns) == 0 {
			wrong.Fix += "; --label (data.label) says which columns are tasks"
		}
		return t, &badinput.Error{File: file, Row: int(lines[wrong.Row]), Column: column.Name, What: wrong.What, Fix: wrong.Fix}
	}
	var counts [label.Undecided + 1]int
	for i, v := range verdicts {
		if counts[v]++; v <= label.Active {
			t.Rows, t.Labels = append(t.Rows, int32(i)), append(t.Labels, uint8(v))
		}
	}
	told := fmt.Sprintf("task %s: %d active", column.Name, counts[label.Active])
	if column.Rule != nil {
		told += " (" + column.Rule.String() + ")"
	}
	told += fmt.Sprintf(", %d inactive", counts[label.Inactive])
	if n := counts[label.Undecided]; n > 0 {
		told += fmt.Sprintf(", %d not decided", n)
	}
	if column.Told != "" {
		told += "; " + column.Told
	}
	m.told = append(m.told, told)
	return t, nil
}
