package pretrain

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"pacia/csvfile"
	"pacia/data"
	"pacia/data/embedded"
	"pacia/fault"
)

// readSMILES returns the SMILES of a file, and the line of each.
func readSMILES(path, column string) (smiles []string, lines []int, err error) {
	if path == data.Embedded {
		return readTable(path, bytes.NewReader(embedded.CSV()), column)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, csvfile.Unreadable(path, err)
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
	return 0, &fault.Error{File: r.Name, Row: 1, What: fmt.Sprintf("no column %q among %s", name, strings.Join(r.Header, ", ")),
		Fix: "name the column of the SMILES with --smiles"}
}

// readLines takes the first word of every line; empty lines are passed over.
func readLines(path string, text io.Reader) (smiles []string, lines []int, err error) {
	content, err := unpacked(text)
	if err != nil {
		f := csvfile.Unreadable(path, err)
		f.Fix = "write plain text or whole gzip files"
		return nil, nil, f
	}
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(string(content), "\ufeff")) {
		n++
		if words := strings.Fields(line); len(words) > 0 {
			smiles, lines = append(smiles, words[0]), append(lines, n)
		}
	}
	return smiles, lines, nil
}

// unpacked reads all; what begins like gzip is unpacked.
func unpacked(text io.Reader) ([]byte, error) {
	b := bufio.NewReader(text)
	if start, _ := b.Peek(2); !bytes.Equal(start, []byte{0x1f, 0x8b}) {
		return io.ReadAll(b)
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
