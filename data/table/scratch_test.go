package table_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"pacia/data/table"
	"pacia/internal/scratch"
)

// TestLargeWorkbook: a sheet that is unpacked to the disk is written only to the process's temporary
// folder, which the next process removes.
func TestLargeWorkbook(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	dir, temp := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "large.xlsx")
	f := excelize.NewFile(excelize.Options{TmpDir: dir})
	w, err := f.NewStreamWriter("Sheet1")
	if err != nil {
		t.Fatal(err)
	}
	const rows = 30_000
	filler := strings.Repeat("text ", 160)
	for i := range rows {
		at, _ := excelize.CoordinatesToCellName(1, i+1)
		cells := []any{"CCO", filler}
		if i == 0 {
			cells = []any{"smiles", "remark"}
		}
		if err := w.SetRow(at, cells); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Flush(), f.SaveAs(path), f.Close()); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temp)
	scratch.Remove() // of other tests
	defer scratch.Remove()
	r, err := table.Open(t.Context(), path, nil, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Read(); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(temp, "pacia-scratch-*", "excelize-*"))
	if err != nil || len(left) == 0 {
		t.Errorf("no file in the folder of the process (%v): is the sheet too small for the test?", err)
	}
	entries, err := os.ReadDir(temp)
	if err != nil || len(entries) != 1 {
		t.Errorf("%d entries among temporary files, want the folder of the process (%v)", len(entries), err)
	}
	n := 1
	for ; ; n++ {
		if _, err := r.Read(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if n != rows-1 {
		t.Errorf("%d rows, want %d", n, rows-1)
	}
}
