package pretrain

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"pacia/csvfile"
	"pacia/data"
	"pacia/data/embedded"
	"pacia/fault"
	"pacia/input"
)

// maxFile is the size of a file in bytes: one of a hundred million molecules, packed.
const maxFile = 4 << 30

// maxLine is the length of a line in bytes.
const maxLine = 1 << 20

// readSMILES returns the SMILES of a file, and the line of each.
func readSMILES(ctx context.Context, path, column string) (smiles []string, lines []int, err error) {
	if path == data.Embedded {
		return readTable(path, bytes.NewReader(embedded.CSV()), column)
	}
	f, err := input.Open(ctx, path, input.Stream, maxFile)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if isTable(path) {
		return readTable(path, f, column)
	}
	return readLines(path, f)
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

func readTable(path string, text io.Reader, column string) (smiles []string, lines []int, err error) {
	r, err := csvfile.NewReader(path, text)
	if err != nil {
		return nil, nil, err
	}
	at, err := columnOf(r, column)
	if err != nil {
		return nil, nil, err
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return smiles, lines, nil
		}
		if err != nil {
			return nil, nil, err
		}
		smiles, lines = append(smiles, strings.TrimSpace(row[at])), append(lines, r.Line(at))
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
	return 0, &fault.Error{File: r.Name, Row: 1, What: fmt.Sprintf("no column %s among %s", fault.Quote(name), fault.List(r.Header)),
		Fix: "name the column of the SMILES with --smiles"}
}

// readLines takes the first word of every line; empty lines are passed over.
func readLines(path string, text io.Reader) (smiles []string, lines []int, err error) {
	plain, err := input.NewPlain(path, text)
	if err != nil {
		return nil, nil, err
	}
	if mark, _ := plain.Peek(3); string(mark) == "\ufeff" {
		_, _ = plain.Discard(3) // they lie in the buffer
	}
	all := bufio.NewScanner(plain)
	all.Buffer(nil, maxLine)
	for n := 1; all.Scan() && all.Err() == nil; n++ {
		if words := strings.Fields(all.Text()); len(words) > 0 {
			smiles, lines = append(smiles, strings.Clone(words[0])), append(lines, n)
		}
	}
	switch err := all.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, nil, &fault.Error{File: path, What: fmt.Sprintf("a line is longer than %d MiB", maxLine>>20), Fix: "write a molecule a line"}
	case err != nil:
		return nil, nil, input.Unreadable(path, err)
	}
	return smiles, lines, nil
}
