package ranking

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"

	"pacia/data/table"
	"pacia/internal/badinput"
)

// plain are the options of a command line without any.
var plain = Options{Options: table.Options{SMILES: "smiles"}}

// file writes text and moves to its folder, so that faults name it alone.
func file(t *testing.T, name, text string) string {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestTableFindsTheMolecules(t *testing.T) {
	for _, tt := range []struct {
		header string
		column int
	}{
		{"id,smiles", 1}, {"id,SMILES", 1}, {"Smiles,smiles", 1}, {"smiles,SMILES", 0}, {" Smiles ,id", 0},
	} {
		table, err := Open(t.Context(), []string{file(t, "a.csv", tt.header+"\na,b\nc,d\n")}, plain)
		if err != nil {
			t.Errorf("%s: %v", tt.header, err)
			continue
		}
		first, errFirst := table.Next()
		second, errSecond := table.Next()
		if table.SMILES != tt.column || errFirst != nil || errSecond != nil {
			t.Errorf("%s: column %d, want %d (%v, %v)", tt.header, table.SMILES, tt.column, errFirst, errSecond)
		}
		// The first row outlives the reading of the second.
		if first.Line != 2 || second.Line != 3 || first.Fields[0] != "a" || second.Fields[1] != "d" {
			t.Errorf("%s: rows %v and %v", tt.header, first, second)
		}
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestTableFaults(t *testing.T) {
	tests := []struct{ text, want string }{
		{"id,structure\n", `a.csv: row 1: no column "smiles" among id, structure; name the column of the SMILES with --smiles`},
		{"smiles,id\nCC,1\nCN\n", "a.csv: row 3: 1 cells where the header has 2; write a comma for each empty cell, and quote cells that hold a comma"},
	}
	for _, tt := range tests {
		err := drain(t.Context(), file(t, "a.csv", tt.text))
		if err == nil || err.Error() != tt.want || !badinput.Is(err) {
			t.Errorf("%q:\n got %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

func drain(ctx context.Context, name string) error {
	table, err := Open(ctx, []string{name}, plain)
	if err != nil {
		return err
	}
	defer table.Close()
	for {
		if _, err := table.Next(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestSupportFindsItsLabels(t *testing.T) {
	tests := []struct{ text, column string }{
		{"smiles,label\nC,1\nN,0\nO,\n", "label"},
		{"name,Active,smiles\na,1.0,C\nb,0,N\nc, ,O\n", "Active"},
		{"smiles,NR-AR\nC,1\nN,0\nO,\n", "NR-AR"},
	}
	for _, tt := range tests {
		s, err := ReadSupport(t.Context(), file(t, "s.csv", tt.text), plain, Labels{})
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if s.Column != tt.column || len(s.SMILES) != 2 || s.SMILES[1] != "N" || s.Labels[0] != 1 || s.Labels[1] != 0 || s.Empty != 1 || s.Lines[1] != 3 {
			t.Errorf("%q: read %+v", tt.text, s)
		}
	}
}

func TestSupportFaults(t *testing.T) {
	tests := []struct{ text, want string }{
		{"smiles,label\nC,1\nN,perhaps\n", `s.csv: row 3, column label: label "perhaps" is neither active nor inactive; write 1 or 0, yes or no, true or false, active or inactive, + or -, or leave the cell empty`},
		{"smiles,label\nC,1\n", "s.csv: column label: there is no inactive molecule (label 0); a support set needs one or more of each class"},
		{"smiles,label\nC,0\n", "s.csv: column label: there is no active molecule (label 1); a support set needs one or more of each class"},
		{"smiles,a,b\nC,0,1\n", "s.csv: row 1: which column holds the labels is not clear from smiles, a, b; name it with --label, or call one column label"},
		{"smiles,label,active\nC,0,1\n", "s.csv: row 1: which column holds the labels is not clear from smiles, label, active; name it with --label, or call one column label"},
		{"smiles\nC\n", "s.csv: row 1: which column holds the labels is not clear from smiles; name it with --label, or call one column label"},
	}
	for _, tt := range tests {
		_, err := ReadSupport(t.Context(), file(t, "s.csv", tt.text), plain, Labels{})
		if err == nil || err.Error() != tt.want || !badinput.Is(err) {
			t.Errorf("%q:\n got %v\nwant %s", tt.text, err, tt.want)
		}
	}
}
