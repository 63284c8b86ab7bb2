package data

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"pacia/csvfile"
	"pacia/fault"
)

// table is a CSV in the layout of MoleculeNet: a column of SMILES and a column
// of labels for each task.
type table struct {
	smiles []string
	line   []int32 // line of the file that a molecule begins on, counted from 1
	tasks  []Task  // Rows count the molecules of the table
}

// tableReader reads a table row by row.
type tableReader struct {
	csv    *csvfile.Reader
	header header
	table  table
}

// readTable reads a whole table, plain or gzipped. file is named in faults;
// column is the name of the SMILES column.
func readTable(file string, text io.Reader, column string) (*table, error) {
	csv, err := csvfile.NewReader(file, text)
	if err != nil {
		return nil, err
	}
	r := &tableReader{csv: csv}
	if r.header, err = readHeader(file, csv.Header, column); err != nil {
		return nil, err
	}
	for _, c := range r.header.tasks {
		r.table.tasks = append(r.table.tasks, Task{Name: r.header.names[c]})
	}
	for {
		record, err := csv.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := r.row(record); err != nil {
			return nil, err
		}
	}
	if len(r.table.smiles) == 0 {
		return nil, &fault.Error{File: file, What: "no molecules below the header", Fix: "write one molecule a row"}
	}
	return &r.table, nil
}

// row takes in the molecule of one record.
func (r *tableReader) row(record []string) error {
	molecule := int32(len(r.table.smiles))
	for i, c := range r.header.tasks {
		cell := record[c]
		if cell == "" {
			continue
		}
		label, measured, ok := parseLabel(cell)
		if !ok {
			return &fault.Error{
				File: r.csv.Name, Row: r.csv.Line(c), Column: r.header.names[c],
				What: fmt.Sprintf("label %q is not 0, 1 or empty", cell), Fix: "write 0, 1 or leave the cell empty",
			}
		}
		if measured {
			t := &r.table.tasks[i]
			t.Rows, t.Labels = append(t.Rows, molecule), append(t.Labels, label)
		}
	}
	r.table.smiles = append(r.table.smiles, strings.Clone(strings.TrimSpace(record[r.header.smiles])))
	r.table.line = append(r.table.line, int32(r.csv.Line(0)))
	return nil
}

// parseLabel reads a cell: 0 or 1, perhaps written as a decimal, or blank.
func parseLabel(cell string) (label uint8, measured, ok bool) {
	switch strings.TrimSpace(cell) {
	case "0", "0.0":
		return 0, true, true
	case "1", "1.0":
		return 1, true, true
	case "":
		return 0, false, true
	}
	return 0, false, false
}
