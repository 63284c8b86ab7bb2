package fsmol

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pacia/csvfile"
	"pacia/fault"
)

const (
	// maxLine is the length of a line in bytes; a molecule of MaxAtoms atoms takes
	// 0.2 MB.
	maxLine = 4 << 20
	// suffix ends the names of task files.
	suffix = ".jsonl.gz"
)

// Reader reads a task file molecule by molecule.
type Reader struct {
	Name string // of the file, for faults

	file        *os.File
	lines       *bufio.Scanner
	line        int // of the last molecule, counted from 1
	descriptors int // of each molecule; −1 before the first
}

// OpenTask opens a task file, compressed or not: its content tells. Errors are
// *fault.Error.
func OpenTask(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, csvfile.Unreadable(path, err)
	}
	r := &Reader{Name: path, file: f, descriptors: -1}
	plain, err := unpacked(f)
	if err != nil {
		return nil, errors.Join(r.damaged(err), f.Close())
	}
	r.lines = bufio.NewScanner(plain)
	r.lines.Buffer(make([]byte, 1<<16), maxLine)
	return r, nil
}

// unpacked returns the text of a file.
func unpacked(f *os.File) (io.Reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	b := bufio.NewReaderSize(f, 1<<16)
	if start, _ := b.Peek(2); !bytes.Equal(start, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, err
	}
	return &csvfile.Bounded{Plain: z, Most: func() int64 { return csvfile.MaxRatio * info.Size() }}, nil
}

// Read returns the next molecule, or io.EOF; other errors are *fault.Error.
// Blank lines are passed over.
func (r *Reader) Read() (Molecule, error) {
	// A file that breaks off has a last line, which the error comes before.
	for r.lines.Scan() && r.lines.Err() == nil {
		r.line++
		text := bytes.TrimSpace(r.lines.Bytes())
		if len(text) == 0 {
			continue
		}
		m, err := parseLine(text)
		if err != nil {
			return m, r.refuse(err)
		}
		if r.descriptors < 0 {
			r.descriptors = len(m.Descriptors)
		}
		if n := len(m.Descriptors); n != r.descriptors {
			return m, r.refuse(fmt.Errorf("descriptors: %d, while the first molecule has %d", n, r.descriptors))
		}
		return m, nil
	}
	if err := r.lines.Err(); err != nil {
		return Molecule{}, r.damaged(err)
	}
	return Molecule{}, io.EOF
}

// refuse names the line that is wrong.
func (r *Reader) refuse(why error) error {
	return &fault.Error{File: r.Name, Row: r.line, What: why.Error(), Fix: "correct or remove the line"}
}

// damaged explains an error of reading.
func (r *Reader) damaged(err error) error {
	var system *fs.PathError
	switch {
	case errors.Is(err, csvfile.ErrTooLarge):
		return &fault.Error{File: r.Name, What: err.Error() + ", which no task does", Fix: "fetch it again"}
	case errors.Is(err, bufio.ErrTooLong):
		return &fault.Error{File: r.Name, Row: r.line + 1, What: fmt.Sprintf("longer than %d MiB", maxLine>>20), Fix: "remove the line"}
	case errors.As(err, &system):
		return csvfile.Unreadable(r.Name, err)
	}
	return &fault.Error{File: r.Name, What: "damaged gzip file", Err: err, Fix: "fetch it again"}
}

// Close closes the file.
func (r *Reader) Close() error { return r.file.Close() }

// ReadTask returns the molecules of a task file; without any it is a fault.
func ReadTask(path string) ([]Molecule, error) {
	r, err := OpenTask(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var all []Molecule
	for {
		m, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil, &fault.Error{File: path, What: "no molecules", Fix: "write a molecule a line, or remove the file"}
	}
	return all, nil
}

// TaskName returns the name of the task that a file holds.
func TaskName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), suffix)
}
