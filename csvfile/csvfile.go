// Package csvfile reads CSV files with a header row, plain or gzipped, and
// says in one line what is wrong with one.
package csvfile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"slices"
)

// A Reader reads the rows of a file.
type Reader struct {
	Name   string   // of the file, for faults
	Header []string // the first row

	csv    *csv.Reader
	zipped bool
	file   *os.File // nil where the reader was not opened by name
}

// Open opens a file and reads its header. Errors are *fault.Error.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Unreadable(path, err)
	}
	r, err := NewReader(path, f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.file = f
	return r, nil
}

// NewReader reads the header of a text, which faults call name. Compression is
// told by the content. Errors are *fault.Error.
func NewReader(name string, text io.Reader) (*Reader, error) {
	r := &Reader{Name: name}
	plain, err := r.plain(&counter{Reader: text})
	if err != nil {
		return nil, r.fault(err, nil)
	}
	r.csv = csv.NewReader(plain)
	r.csv.ReuseRecord = true
	header, err := r.csv.Read()
	if err != nil {
		return nil, r.fault(err, header)
	}
	r.Header = slices.Clone(header)
	return r, nil
}

// plain unpacks what begins like gzip, and leaves out the byte order mark that
// spreadsheets put before UTF-8.
func (r *Reader) plain(file *counter) (io.Reader, error) {
	text := bufio.NewReaderSize(file, 1<<16)
	if start, _ := text.Peek(2); bytes.Equal(start, []byte{0x1f, 0x8b}) {
		r.zipped = true
		z, err := gzip.NewReader(text)
		if err != nil {
			return nil, err
		}
		text = bufio.NewReaderSize(&Bounded{Plain: z, Most: file.most}, 1<<16)
	}
	mark := []byte("\ufeff")
	if start, _ := text.Peek(len(mark)); bytes.Equal(start, mark) {
		_, _ = text.Discard(len(mark)) // they lie in the buffer
	}
	return text, nil
}

// Read returns the next row, or io.EOF; other errors are *fault.Error. The
// slice is valid until the next call, its strings stay.
func (r *Reader) Read() ([]string, error) {
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
