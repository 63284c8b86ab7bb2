package data

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"pacia/data/label"
	tables "pacia/data/table"
	"pacia/internal/badinput"
)

// table is a file in the layout of MoleculeNet: a column of SMILES and a column
// of labels for each task.
type table struct {
	smiles  []string
	reasons []error  // why a molecule of an SD file has no SMILES, or nil
	line    []int32  // line of the file that a molecule begins on, counted from 1
	tasks   []Task   // Rows count the molecules of the table
	told    []string // of the tasks, where the user said what they are
}

// tableReader reads a table row by row.
type tableReader struct {
	rows   *tables.Reader
	header header
	table  table
	left   []bool         // tasks that are none: columns of names, found by their cells
	asked  *measuredTable // nil: every column is a task of 0 and 1
}

// readTable reads a whole table of any form. file is named in faults. Where by is not
// empty, it says which columns are tasks, and what is active in them.
func readTable(file string, text io.Reader, o tables.Options, by label.Tasks) (*table, error) {
	rows, err := tables.New(file, text, o)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	r := &tableReader{rows: rows}
	if len(by.Columns) > 0 || by.Measured() {
		r.asked = &measuredTable{by: by, cells: map[int][]string{}}
	}
	if r.header, err = readHeader(rows, o.SMILES); err != nil {
		return nil, err
	}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := r.row(row); err != nil {
			return nil, err
		}
	}
	if len(r.table.smiles) == 0 {
		return nil, &badinput.Error{File: file, What: "no molecules below the header", Fix: "write one molecule a row"}
	}
	return r.done(o.SMILES)
}

// row takes in the molecule of one record.
func (r *tableReader) row(row tables.Row) error {
	molecule := int32(len(r.table.smiles))
	if err := r.header.extend(r.rows); err != nil { // of an SD file
		return err
	}
	if r.asked != nil {
		r.asked.row(int(molecule), row.Fields, r.header.smiles)
	} else if err := r.labels(molecule, row); err != nil {
		return err
	}
	// Why a molblock cannot be read is the reason of its molecule, too.
	reason := row.Resolve(r.header.smiles)
	r.table.smiles = append(r.table.smiles, strings.Clone(strings.TrimSpace(row.Fields[r.header.smiles])))
	r.table.reasons = append(r.table.reasons, reason)
	r.table.line = append(r.table.line, int32(row.Line))
	return nil
}

// labels takes in those of a molecule.
func (r *tableReader) labels(molecule int32, row tables.Row) error {
	for i, c := range r.header.tasks {
		if i == len(r.left) {
			r.left = append(r.left, false)
			r.table.tasks = append(r.table.tasks, Task{Name: r.header.names[c]})
		}
		if c >= len(row.Fields) || row.Fields[c] == "" || r.left[i] {
			continue
		}
		verdict, ok := label.Word(row.Fields[c])
		switch t := &r.table.tasks[i]; {
		case ok && verdict <= label.Active:
			t.Rows, t.Labels = append(t.Rows, molecule), append(t.Labels, uint8(verdict))
		case ok: // not measured, or not decided
		case tables.NameLike(t.Name):
			r.left[i] = true
		default:
			f := &badinput.Error{
				File: r.rows.Name, Row: row.Line, Column: t.Name,
				What: fmt.Sprintf("label %s is not 0, 1 or empty", badinput.Quote(row.Fields[c])), Fix: "write 0, 1 or leave the cell empty",
			}
			if label.IsMeasurement(row.Fields[c]) {
				f.Fix += "; of measurements data.active_below or data.active_above says what is active"
			}
			return f
		}
	}
	return nil
}

// done leaves out the columns of names.
func (r *tableReader) done(column string) (*table, error) {
	if r.asked != nil {
		var err error
		if r.table.tasks, err = r.asked.tasks(r.rows, r.table.line); err != nil {
			return nil, err
		}
		if r.table.told = r.asked.told; len(r.table.tasks) == 0 {
			return nil, noTasks(r.rows.Name, column)
		}
		return &r.table, nil
	}
	n := 0
	for i, t := range r.table.tasks {
		if !r.left[i] {
			r.table.tasks[n] = t
			n++
		}
	}
	if r.table.tasks = r.table.tasks[:n]; n == 0 {
		return nil, noTasks(r.rows.Name, column)
	}
	return &r.table, nil
}
