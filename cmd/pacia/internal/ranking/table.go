package ranking

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"pacia/fault"
)

// A Table is a CSV file with a header row and a column of SMILES.
type Table struct {
	Name   string
	Header []string
	SMILES int // column of the molecules, from 0

	file *os.File
	csv  *csv.Reader
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
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	t := &Table{Name: path, file: f}
	if err := t.begin(smiles); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return t, nil
}

// Close closes the file.
func (t *Table) Close() error { return t.file.Close() }

func (t *Table) begin(smiles string) error {
	text, err := plain(bufio.NewReaderSize(t.file, 1<<20))
	if err != nil {
		return unreadable(t.Name, err)
	}
	t.csv = csv.NewReader(text)
	header, err := t.csv.Read()
	if errors.Is(err, io.EOF) {
		return &fault.Error{File: t.Name, What: "the file is empty", Fix: "give a CSV file with a header row"}
	}
	if err != nil {
		return t.wrong(err)
	}
	t.Header = header
	t.SMILES, err = t.column(smiles)
	return err
}

// plain returns the text behind r: unpacked where it begins like gzip, and
// without the byte order mark that spreadsheets write.
func plain(r *bufio.Reader) (*bufio.Reader, error) {
	if magic, _ := r.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		r = bufio.NewReaderSize(z, 1<<20)
	}
	if mark, _ := r.Peek(3); string(mark) == "\ufeff" {
		_, err := r.Discard(3)
		return r, err
	}
	return r, nil
}

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
	if errors.Is(err, io.EOF) {
		return Row{}, io.EOF
	}
	if err != nil {
		return Row{}, t.wrong(err)
	}
	line, _ := t.csv.FieldPos(0)
	return Row{Line: line, Fields: fields}, nil
}

// wrong names the row of a record that is no CSV, or says why the file ends
// before its end.
func (t *Table) wrong(err error) error {
	var p *csv.ParseError
	if !errors.As(err, &p) {
		return unreadable(t.Name, err)
	}
	f := &fault.Error{File: t.Name, Row: p.StartLine, Err: p.Err}
	if errors.Is(p.Err, csv.ErrFieldCount) {
		f.Fix = fmt.Sprintf("give it %d fields, as the header has", len(t.Header))
	}
	return f
}

func unreadable(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err // the path is in the fault already
	}
	return &fault.Error{File: path, What: "cannot read the file", Err: err}
}
