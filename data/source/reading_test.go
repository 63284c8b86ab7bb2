package source

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pacia/data"
	"pacia/data/label"
	"pacia/internal/badinput"
)

func TestMalformedFiles(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte("smiles,A\nCCO,1\n"))
	_ = z.Close()
	tests := []struct{ name, content, want string }{
		{"label.csv", "smiles,NR-AR\nCCO,1\n\nCC,x\n", `row 4, column NR-AR: label "x" is neither active nor inactive; write 1 or 0, yes or no, true or false, active or inactive, + or -, leave the cell empty, or name it in --active-words or --inactive-words; --label chooses the columns that are tasks, --ignore leaves one out`},
		{"empty.csv", "", "the file is empty; write a header and one molecule a row"},
		{"header.csv", "smiles,A\n", "no molecules below the header; write one molecule a row"},
		{"none.csv", "A,molecule,B\n1,ethanol,1\n", "row 1: no column holds SMILES among A, molecule, B; name it with --smiles, or the row of the header with --header"},
		{"alone.csv", "smiles\nCCO\n", `row 1: no column of labels beside "smiles"; add a column of labels for each task`},
		{"twice.csv", "smiles,A,B,A\nCCO,1,1,1\n", "row 1, column A: named twice, columns 2 and 4; rename one of the two"},
		{"noname.csv", "smiles,A,\nCCO,1,1\n", "row 1: column 3 has no name; name it, or remove the column"},
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

// TestOddRowsAreListed: rows with another number of cells than the header, and rows with an
// unclosed quotation mark, are left out with a reason. The others are read.
func TestOddRowsAreListed(t *testing.T) {
	path := writeFile(t, "odd.csv", "smiles,A,name\nCCO,1,x\nCC,1\nCCN,0,2,4-D\nCCC,0,3\" pipe\n\"CCCC,1,y\nCCCCC,1,\"z\nCCCO,0,w\n")
	d, err := Open(t.Context(), path, Options{Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var skipped []string
	for _, s := range d.Skipped {
		skipped = append(skipped, fmt.Sprintf("%d %s", s.Row, s.Reason))
	}
	if want := []string{"3 2 cells where the header has 3", "4 4 cells where the header has 3", `6 SMILES Parse Error`}; len(skipped) != 3 || skipped[0] != want[0] || skipped[1] != want[1] || !strings.HasPrefix(skipped[2], want[2]) {
		t.Errorf("skipped %q, want %q", skipped, want)
	}
	if d.Store.Len() != 4 || !reflect.DeepEqual(d.Tasks[0].Labels, []uint8{1, 0, 1, 0}) {
		t.Errorf("%d molecules, labels %v", d.Store.Len(), d.Tasks[0].Labels)
	}
}

// TestStoreKeepsSettings: another threshold makes another data set. A data set from the store has
// the same notes.
func TestStoreKeepsSettings(t *testing.T) {
	path := writeFile(t, "assays.csv", "Compound;smiles;IC50 (nM)\nA-1;CCO;12\nA-2;CCN;>10000\nA-3;CCC;>100\nA-4;CCCl;1,5 uM\n")
	cache := t.TempDir()
	open := func(below string) *data.Dataset {
		d, err := Open(t.Context(), path, Options{Cache: cache, Labels: label.Settings{Columns: "IC50 (nM)", Below: below}})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first, other, again := open("1 uM"), open("10 nM"), open("1 uM")
	if again.Stored.Built || !reflect.DeepEqual(first.Tasks, again.Tasks) || len(again.Notes) != 2 || !reflect.DeepEqual(first.Notes, again.Notes) {
		t.Errorf("from the store: %+v, %q; want %+v, %q", again.Tasks, again.Notes, first.Tasks, first.Notes)
	}
	if reflect.DeepEqual(first.Tasks, other.Tasks) {
		t.Error("another threshold gives the same labels")
	}
}
