package ranking

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pacia/csvfile"
	"pacia/fault"
)

// A Table is a CSV file with a header row and a column of SMILES.
type Table struct {
	Name   string
	Header []string
	SMILES int // column of the molecules, from 0

	csv *csvfile.Reader
}

// A Row is one record of a table.
type Row struct {
	Line   int // where it begins in the file, from 1; the header is in line 1
	Fields []string
}

// Open reads the header of a CSV file, plain or gzipped. The column of that
// name holds the molecules; upper and lower case are alike where no name is
// exactly the same. Errors about the file are *fault.Error.
func Open(path, smiles string) (*Table, error) {
	r, err := csvfile.Open(context.Background(), path) // a signal ends the program
	if err != nil {
		return nil, err
	}
	t := &Table{Name: path, Header: r.Header, csv: r}
	if t.SMILES, err = t.column(smiles); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return t, nil
}

// Close closes the file.
func (t *Table) Close() error { return t.csv.Close() }

func (t *Table) column(name string) (int, error) {
	for i, h := range t.Header {
		if h == name {
			return i, nil
		}
	}
	for i, h := range t.Header {
		if strings.EqualFold(strings.TrimSpace(h), name) {
			return i, nil
		}
	}
	return 0, &fault.Error{
		File: t.Name, Row: 1, What: fmt.Sprintf("no column %q among %s", name, strings.Join(t.Header, ", ")),
		Fix: "name the column of the SMILES with --smiles",
	}
}

// Next returns the next row, or io.EOF.
func (t *Table) Next() (Row, error) {
	fields, err := t.csv.Read()
	if err != nil {
		return Row{}, err
	}
	return Row{Line: t.csv.Line(0), Fields: slices.Clone(fields)}, nil
}
