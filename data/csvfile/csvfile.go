// Package csvfile reads CSV files with a header row, plain or gzipped, and
// says in one line what is wrong with one.
package csvfile

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"

	"pacia/internal/badinput"
	"pacia/internal/input"
)

// maxRow is the length of a row in bytes: one with a label of a megabyte is no row of
// a table, and a quotation mark that nobody closes must not take the whole file into memory.
const maxRow = 4 << 20

// A Reader reads the rows of a file.
type Reader struct {
	Name   string   // of the file, for faults
	Header []string // the first row

	csv  *csv.Reader
	text *rows
	file *input.File // nil where the reader was not opened by name
}

// Open opens a file and reads its header, until ctx ends. Errors are *badinput.Error.
func Open(ctx context.Context, path string) (*Reader, error) {
	f, err := input.Open(ctx, path, input.Stream, 0)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(path, f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.file = f
	return r, nil
}

// NewReader reads the header of a text, which faults call name. Compression is
// told by the content. Errors are *badinput.Error.
func NewReader(name string, text io.Reader) (*Reader, error) {
	plain, err := input.NewPlain(name, text)
	if err != nil {
		return nil, err
	}
	// Spreadsheets put a byte order mark before UTF-8.
	if mark, _ := plain.Peek(3); string(mark) == "\ufeff" {
		_, _ = plain.Discard(3) // they lie in the buffer
	}
	r := &Reader{Name: name, text: &rows{from: plain, left: maxRow, line: 1}}
	r.csv = csv.NewReader(r.text)
	r.csv.ReuseRecord = true
	header, err := r.csv.Read()
	if err != nil {
		return nil, r.fault(err, header)
	}
	r.Header = slices.Clone(header)
	return r, nil
}

// rows lets a reader of rows have no more than so many bytes for each.
type rows struct {
	from io.Reader
	left int
	line int // number of the row, the header's 1
}

func (r *rows) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, &badinput.Error{Row: r.line, What: fmt.Sprintf("longer than %d MiB", maxRow>>20), Fix: "shorten it, or close a quotation mark before it"}
	}
	n, err := r.from.Read(p)
	r.left -= n
	return n, err
}

// Read returns the next row, or io.EOF; other errors are *badinput.Error. The
// slice is valid until the next call, its strings stay.
func (r *Reader) Read() ([]string, error) {
	r.text.left, r.text.line = maxRow, r.text.line+1
	row, err := r.csv.Read()
	if err == nil || errors.Is(err, io.EOF) {
		return row, err
	}
	return nil, r.fault(err, row)
}

// Line returns the line of the file, from 1, on which a field of the last row
// begins.
func (r *Reader) Line(field int) int {
	line, _ := r.csv.FieldPos(field)
	return line
}

// Close closes a file that Open opened.
func (r *Reader) Close() error { return r.file.Close() }
