package data

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pacia/data/label"
	tables "pacia/data/table"
	"pacia/internal/badinput"
)

var bySMILES = tables.Options{SMILES: "smiles"}

func TestReadTableLayouts(t *testing.T) {
	want := &table{
		smiles:  []string{"CCO", "c1ccccc1"},
		reasons: []error{nil, nil},
		line:    []int32{2, 3},
		tasks: []Task{
			{Name: "A", Rows: []int32{0, 1}, Labels: []uint8{1, 0}},
			{Name: "B, b", Rows: []int32{1}, Labels: []uint8{1}},
		},
	}
	tests := []struct{ name, text string }{
		{"plain", "smiles,A,\"B, b\"\nCCO,1,\nc1ccccc1,0,1\n"},
		{"byte order mark", "\ufeffsmiles,A,\"B, b\"\nCCO,1,\nc1ccccc1,0,1\n"},
		{"CRLF", "smiles,A,\"B, b\"\r\nCCO,1,\r\nc1ccccc1,0,1\r\n"},
		{"decimals", "smiles,A,\"B, b\"\nCCO,1.0,\nc1ccccc1,0.0,1.0\n"},
		{"smiles last, no end of line", "A,\"B, b\",smiles\n1,,CCO\n0,1,c1ccccc1"},
		{"upper case", "SMILES,A,\"B, b\"\nCCO,1,\nc1ccccc1,0,1\n"},
		{"semicolons and words", "smiles;A;B, b\nCCO;yes;\nc1ccccc1;no;true\n"},
		{"tabs, not measured", "smiles\tA\tB, b\nCCO\tActive\tn/a\nc1ccccc1\tInactive\t+\n"},
		{"not a number", "smiles,A,\"B, b\"\nCCO,1,NaN\nc1ccccc1,0,1\n"},
		{"names", "id,smiles,A,\"B, b\"\nZ1,CCO,1,\nZ2,c1ccccc1,0,1\n"},
		{"spaces", "smiles , A,\"B, b\"\n CCO ,1 , \nc1ccccc1,0, 1\n"},
	}
	for _, tt := range tests {
		got, err := readTable("t.csv", strings.NewReader(tt.text), bySMILES, label.Tasks{})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v (%v)\nwant %+v", tt.name, got, err, want)
		}
	}
}

// TestLinesAreThoseOfTheFile: blank lines and breaks inside quotes count.
func TestLinesAreThoseOfTheFile(t *testing.T) {
	got, err := readTable("t.csv", strings.NewReader("smiles,A\n\nCCO,1\n\"CC\n\",0\nC,1\n"), bySMILES, label.Tasks{})
	if want := []int32{3, 4, 6}; err != nil || !reflect.DeepEqual(got.line, want) {
		t.Errorf("lines %v (%v), want %v", got.line, err, want)
	}
}

func TestMalformedFiles(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte("smiles,A\nCCO,1\n"))
	_ = z.Close()
	tests := []struct{ name, content, want string }{
		{"label.csv", "smiles,NR-AR\nCCO,1\n\nCC,x\n", `row 4, column NR-AR: label "x" is not 0, 1 or empty; write 0, 1 or leave the cell empty`},
		{"infinite.csv", "smiles,A\nCCO,NaN\nCC,inf\n", `row 3, column A: label "inf" is not 0, 1 or empty; write 0, 1 or leave the cell empty`},
		{"two.csv", "smiles,A\nCCO,2\n", `row 2, column A: label "2" is not 0, 1 or empty; write 0, 1 or leave the cell empty; of measurements data.active_below or data.active_above says what is active`},
		{"empty.csv", "", "the file is empty; write a header and one molecule a row"},
		{"header.csv", "smiles,A\n", "no molecules below the header; write one molecule a row"},
		{"near.csv", "A,smile,B\n1,CCO,1\n", `row 1: no column "smiles"; the nearest is "smile": set data.smiles to it, or rename the column`},
		{"alone.csv", "smiles\nCCO\n", `row 1: no column beside "smiles"; add a column of labels for each task`},
		{"twice.csv", "smiles,A,B,A\nCCO,1,1,1\n", "row 1, column A: named twice, columns 2 and 4; rename one of the two"},
		{"noname.csv", "smiles,A,\nCCO,1,1\n", "row 1: column 3 has no name; name it, or remove the column"},
		{"short.csv", "smiles,A,B\nCCO,1,1\nCC,1\n", "row 3: 2 cells where the header has 3; write a comma for each empty cell, and quote cells that hold a comma"},
		{"quote.csv", "smiles,A\nC\"C,1\n", `row 2: malformed CSV: bare " in non-quoted-field; quote the whole cell and write "" for each " in it`},
		{"open.csv", "smiles,A\n\"CC,1\nC,1\n", `row 2: malformed CSV: extraneous or missing " in quoted-field; quote the whole cell and write "" for each " in it`},
		{"cut.csv.gz", zipped.String()[:zipped.Len()-6], "damaged gzip file: unexpected EOF; fetch it again"},
		{"magic.csv.gz", "\x1f\x8b nothing else", "damaged gzip file: gzip: invalid header; fetch it again"},
		{"refused.csv", "smiles,A\nCC(,1\nxyz,0\n", "row 2, column smiles: none of the 2 molecules can be parsed, the first because: " +
			"SMILES Parse Error: syntax error while parsing: CC(; check that the column holds SMILES"},
	}
	for _, tt := range tests {
		path := writeFile(t, tt.name, tt.content)
		cache := filepath.Join(t.TempDir(), "cache")
		_, err := Open(context.Background(), path, Options{Cache: cache})
		var f *badinput.Error
		if !errors.As(err, &f) || f.Error() != path+": "+tt.want {
			t.Errorf("%s:\n got %v\nwant %s: %s", tt.name, err, path, tt.want)
		}
		if _, err := os.Stat(cache); err == nil {
			t.Errorf("%s: bad input left a graph store behind", tt.name)
		}
	}
}

func TestUnreadableFiles(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "absent.csv"): "cannot be read: no such file or directory; check data.path",
		dir:                              "cannot be read: is a directory; check data.path",
	} {
		_, err := Open(context.Background(), path, Options{Cache: dir})
		var f *badinput.Error
		if !errors.As(err, &f) || f.Error() != path+": "+want {
			t.Errorf("got  %v\nwant %s: %s", err, path, want)
		}
	}
}

func FuzzReadTable(f *testing.F) {
	for _, seed := range []string{
		"smiles,A\nCCO,1\n", "\ufeffsmiles,A,B\r\nCCO,,0.0\r\n", "A,smiles\n1,\"C\nC\"\n", "smiles;A\n", "", "smiles,A\n\"", "smiles,A\nC,2\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := readTable("fuzz.csv", strings.NewReader(text), bySMILES, label.Tasks{})
		if err != nil {
			var bad *badinput.Error
			if !errors.As(err, &bad) || bad.File != "fuzz.csv" || bad.Fix == "" {
				t.Errorf("%q gives %#v, want a fault with file and remedy", text, err)
			}
			return
		}
		if len(got.smiles) == 0 || len(got.line) != len(got.smiles) {
			t.Errorf("%d molecules with %d lines", len(got.smiles), len(got.line))
		}
		for _, task := range got.tasks {
			if task.Name == "" || len(task.Rows) != len(task.Labels) {
				t.Errorf("task %q: %d rows, %d labels", task.Name, len(task.Rows), len(task.Labels))
			}
			for i, row := range task.Rows {
				if int(row) >= len(got.smiles) || i > 0 && row <= task.Rows[i-1] || task.Labels[i] > 1 {
					t.Errorf("task %q: row %d, label %d at %d of %d molecules", task.Name, row, task.Labels[i], i, len(got.smiles))
				}
			}
		}
	})
}
