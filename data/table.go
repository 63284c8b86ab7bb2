package data

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

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
	file   string
	csv    *csv.Reader
	header header
	table  table
}

// readTable reads a whole table. file is named in faults; column is the name
// of the SMILES column.
func readTable(file string, text io.Reader, column string) (*table, error) {
	r := &tableReader{file: file, csv: csv.NewReader(withoutMark(text))}
	r.csv.ReuseRecord = true
	record, err := r.csv.Read()
	if err != nil {
		return nil, r.fault(err, record)
	}
	if r.header, err = readHeader(file, record, column); err != nil {
		return nil, err
	}
	for _, c := range r.header.tasks {
		r.table.tasks = append(r.table.tasks, Task{Name: r.header.names[c]})
	}
	for {
		record, err := r.csv.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, r.fault(err, record)
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

// withoutMark leaves out the byte order mark that spreadsheets put before UTF-8.
func withoutMark(text io.Reader) io.Reader {
	b := bufio.NewReaderSize(text, 1<<16)
	mark := []byte("\ufeff")
	if start, err := b.Peek(len(mark)); err == nil && bytes.Equal(start, mark) {
		_, _ = b.Discard(len(mark)) // they lie in the buffer
	}
	return b
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
			line, _ := r.csv.FieldPos(c)
			return &fault.Error{
				File: r.file, Row: line, Column: r.header.names[c],
				What: fmt.Sprintf("label %q is not 0, 1 or empty", cell), Fix: "write 0, 1 or leave the cell empty",
			}
		}
		if measured {
			t := &r.table.tasks[i]
			t.Rows, t.Labels = append(t.Rows, molecule), append(t.Labels, label)
		}
	}
	line, _ := r.csv.FieldPos(0)
	r.table.smiles = append(r.table.smiles, strings.Clone(strings.TrimSpace(record[r.header.smiles])))
	r.table.line = append(r.table.line, int32(line))
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

// fault explains an error of the CSV reader; record is what it read before.
func (r *tableReader) fault(err error, record []string) error {
	var pe *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return &fault.Error{File: r.file, What: "the file is empty", Fix: "write a header and one molecule a row"}
	case errors.Is(err, csv.ErrFieldCount) && errors.As(err, &pe):
		return &fault.Error{
			File: r.file, Row: pe.Line,
			What: fmt.Sprintf("%d cells where the header has %d", len(record), len(r.header.names)),
			Fix:  `write a comma for each empty cell, and quote cells that hold a comma`,
		}
	case errors.As(err, &pe):
		return &fault.Error{
			File: r.file, Row: pe.StartLine, What: "malformed CSV", Err: pe.Err,
			Fix: `quote the whole cell and write "" for each " in it`,
		}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return damaged(r.file, err)
	}
	return &fault.Error{File: r.file, What: "cannot be read", Err: err, Fix: "check the file"}
}
