package table_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pacia/data/table"
	"pacia/harness/bounded"
	"pacia/internal/badinput"
)

// readAll reads a whole file.
func readAll(t *testing.T, content []byte) error {
	r, err := table.New("fuzz", bytes.NewReader(content), table.Options{SMILES: "smiles"})
	if err != nil {
		return err
	}
	c, err := read(r)
	for _, row := range c.rows {
		if err == nil && len(row.Fields) != len(c.header) {
			t.Errorf("%d cells below a header of %d", len(row.Fields), len(c.header))
		}
	}
	if closed := r.Close(); closed != nil {
		t.Error(closed)
	}
	return err
}

// FuzzReader: any file is read, or refused with an error that names it.
func FuzzReader(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) < 25 {
		f.Fatalf("%d files (%v)", len(files), err)
	}
	for _, name := range files {
		if content, err := os.ReadFile(name); err == nil && filepath.Ext(name) != ".py" {
			f.Add(content)
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		var err error
		bounded.Do(t, func() { err = readAll(t, content) })
		var bad *badinput.Error
		if err != nil && (!errors.As(err, &bad) || bad.File != "fuzz" || bad.Fix == "") {
			t.Errorf("%v, want a fault with file and remedy", err)
		}
	})
}
