package badinput_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"pacia/internal/badinput"
)

func TestErrorIsOneLineInReadingOrder(t *testing.T) {
	tests := []struct {
		name string
		err  *badinput.Error
		want string
	}{
		{"all", &badinput.Error{
			File: "tox21.csv", Row: 17, Column: "NR-AR",
			What: `label "x" is not 0, 1 or empty`, Fix: "write 0, 1 or leave the cell empty",
		}, `tox21.csv: row 17, column NR-AR: label "x" is not 0, 1 or empty; write 0, 1 or leave the cell empty`},
		{"row", &badinput.Error{File: "a.csv", Row: 2, What: "short"}, "a.csv: row 2: short"},
		{"column", &badinput.Error{File: "a.csv", Column: "smiles", What: "missing"}, "a.csv: column smiles: missing"},
		{"cause", &badinput.Error{File: "a.csv", What: "cannot read", Err: fs.ErrPermission}, "a.csv: cannot read: permission denied"},
		{"what", badinput.Newf("%d tasks", 3), "3 tasks"},
		{"breaks", badinput.Newf("label %s", "1\r\n2\t3"), "label 1  2 3"},
	}
	for _, tt := range tests {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

func TestIsSeesThroughWrapping(t *testing.T) {
	bad := &badinput.Error{What: "cannot read", Err: fs.ErrNotExist}
	wrapped := fmt.Errorf("opening: %w", bad)
	if !badinput.Is(wrapped) {
		t.Errorf("Is(%q) = false for a wrapped fault", wrapped)
	}
	if !errors.Is(wrapped, fs.ErrNotExist) {
		t.Errorf("%q hides the cause it wraps", wrapped)
	}
	if badinput.Is(errors.New("disk on fire")) || badinput.Is(nil) {
		t.Error("Is reports a fault where there is none")
	}
}
