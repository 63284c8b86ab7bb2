package fsmol

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"pacia/internal/badinput"
	"pacia/internal/input"
)

const (
	// maxLine is the maximum length of a line in bytes; a molecule with MaxAtoms atoms
	// takes 0.2 MB.
	maxLine = 4 << 20
	// maxTask is the maximum size of a file in bytes; the largest of FS-Mol has 6 MB.
	maxTask = 1 << 30
	// suffix is the extension of task files.
	suffix = ".jsonl.gz"
)

// Reader reads a task file molecule by molecule.
type Reader struct {
	Name string // of the file, for errors

	file        *input.File
	lines       *bufio.Scanner
	line        int // of the last molecule, counted from 1
	descriptors int // of each molecule; −1 before the first
}

// openTask opens a task file, and detects whether it is compressed. Errors are
// *badinput.Error.
func openTask(ctx context.Context, path string) (*Reader, error) {
	f, err := input.Open(ctx, path, input.Stream, maxTask)
	if err != nil {
		return nil, err
	}
	plain, err := f.Plain()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r := &Reader{Name: path, file: f, descriptors: -1, lines: bufio.NewScanner(plain)}
	r.lines.Buffer(make([]byte, 1<<16), maxLine)
	return r, nil
}

// Read returns the next molecule, or io.EOF; other errors are *badinput.Error. It skips
// blank lines.
func (r *Reader) Read() (Molecule, error) {
	// At the end of a truncated file, the scanner returns an incomplete line, and the error takes precedence.
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

func (r *Reader) refuse(why error) error {
	return &badinput.Error{File: r.Name, Row: r.line, What: why.Error(), Fix: "correct or remove the line"}
}

func (r *Reader) damaged(err error) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return &badinput.Error{File: r.Name, Row: r.line + 1, What: fmt.Sprintf("longer than %d MiB", maxLine>>20), Fix: "remove the line"}
	}
	return input.Unreadable(r.Name, err)
}

// Close closes the file.
func (r *Reader) Close() error { return r.file.Close() }

// readTask returns the molecules of a task file, and an error if there are none.
func readTask(ctx context.Context, path string) ([]Molecule, error) {
	r, err := openTask(ctx, path)
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
		return nil, &badinput.Error{File: path, What: "no molecules", Fix: "write a molecule a line, or remove the file"}
	}
	return all, nil
}

// TaskName returns the name of the task in a file.
func TaskName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), suffix)
}
