package pretrain

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"pacia/data"
	"pacia/data/csvfile"
	"pacia/data/embedded"
	"pacia/internal/badinput"
	"pacia/internal/input"
)

// maxFile is the size of a file in bytes: one of a hundred million molecules, packed.
const maxFile = 4 << 30

// maxLine is the length of a line in bytes.
const maxLine = 1 << 20

// reader collects molecules.
type reader struct {
	column string // of the SMILES
	labels bool   // whether the other columns are read

	smiles []string
	at     []place
	assays []string
	number map[string]int32 // of assays
	marks  []mark
}

// place is where a molecule stands first.
type place struct {
	file string // "" where there is one file
	line int
}

// from reads a file, or all of a folder.
func (r *reader) from(ctx context.Context, path string) error {
	if path == data.Embedded {
		return r.table(path, "", bytes.NewReader(embedded.CSV()))
	}
	files, err := inFolder(path)
	if err != nil {
		return err
	}
	for i, file := range files {
		if err := r.file(ctx, file, filepath.Base(file)); err != nil {
			return err
		}
		data.Report(ctx, "files", i+1, len(files))
	}
	if files != nil {
		return nil
	}
	return r.file(ctx, path, "")
}

// inFolder lists the CSV files of a folder, or of its train/; nil where path is none.
func inFolder(path string) ([]string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, nil //nolint:nilerr // opening says what is wrong
	}
	for _, dir := range []string{filepath.Join(path, "train"), path} {
		entries, err := os.ReadDir(dir)
		if err != nil && dir == path {
			return nil, &badinput.Error{File: path, What: "cannot be read", Err: err, Fix: "check the folder"}
		}
		var list []string
		for _, e := range entries {
			if isTable(e.Name()) && !e.IsDir() {
				list = append(list, filepath.Join(dir, e.Name()))
			}
		}
		if list != nil {
			return list, nil
		}
	}
	return nil, &badinput.Error{File: path, What: "the folder holds no CSV files", Fix: "name a file, or convert task files with pacia data convert"}
}

func (r *reader) file(ctx context.Context, path, name string) error {
	f, err := input.Open(ctx, path, input.Stream, maxFile)
	if err != nil {
		return err
	}
	defer f.Close()
	if isTable(path) {
		return r.table(path, name, f)
	}
	if r.labels {
		return &badinput.Error{File: path, What: "a text of SMILES has no labels", Fix: "give a .csv with a column for each assay, or another --task"}
	}
	return r.lines(path, f)
}

// isTable tells CSV files by their names: a text of SMILES may hold commas in
// its molecules' names.
func isTable(path string) bool {
	name := strings.ToLower(path)
	return strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".csv")
}

// nameOf returns the name of a file without folder and extensions.
func nameOf(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return name
}

func (r *reader) table(path, name string, text io.Reader) error {
	t, err := csvfile.NewReader(path, text)
	if err != nil {
		return err
	}
	at, err := columnOf(t, r.column)
	if err != nil {
		return err
	}
	columns := assayColumns{reader: r, table: t, smiles: at}
	for {
		row, err := t.Read()
		if errors.Is(err, io.EOF) {
			return columns.done()
		}
		if err != nil {
			return err
		}
		if r.labels {
			if err := columns.read(row, int32(len(r.smiles))); err != nil {
				return err
			}
		}
		r.smiles, r.at = append(r.smiles, strings.TrimSpace(row[at])), append(r.at, place{name, t.Line(at)})
	}
}

// columnOf finds a column by its name; upper and lower case are alike where no
// name is exactly the same.
func columnOf(r *csvfile.Reader, name string) (int, error) {
	near := -1
	for i, h := range r.Header {
		h = strings.TrimSpace(h)
		if h == name {
			return i, nil
		}
		if near < 0 && strings.EqualFold(h, name) {
			near = i
		}
	}
	if near >= 0 {
		return near, nil
	}
	return 0, &badinput.Error{File: r.Name, Row: 1, What: fmt.Sprintf("no column %s among %s", badinput.Quote(name), badinput.List(r.Header)),
		Fix: "name the column of the SMILES with --smiles"}
}

// lines takes the first word of every line; empty lines are passed over.
func (r *reader) lines(path string, text io.Reader) error {
	plain, err := input.NewPlain(path, text)
	if err != nil {
		return err
	}
	if mark, _ := plain.Peek(3); string(mark) == "\ufeff" {
		_, _ = plain.Discard(3) // they lie in the buffer
	}
	all := bufio.NewScanner(plain)
	all.Buffer(nil, maxLine)
	for n := 1; all.Scan() && all.Err() == nil; n++ {
		if words := strings.Fields(all.Text()); len(words) > 0 {
			r.smiles, r.at = append(r.smiles, strings.Clone(words[0])), append(r.at, place{line: n})
		}
	}
	switch err := all.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return &badinput.Error{File: path, What: fmt.Sprintf("a line is longer than %d MiB", maxLine>>20), Fix: "write a molecule a line"}
	case err != nil:
		return input.Unreadable(path, err)
	}
	return nil
}
