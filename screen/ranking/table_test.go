package ranking

import (
	"context"
	"errors"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pacia/data/label"
	"pacia/data/standard"
	"pacia/data/table"
	"pacia/internal/badinput"
)

// plain are the options of a command line without flags.
var plain = Options{Options: table.Options{SMILES: "smiles"}}

// file writes text to a file and changes to its folder, so that errors name the file without a path.
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
		{"id,smiles", 1}, {"id,SMILES", 1}, {" Smiles ,id", 0},
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
		{"id,structure\n", `a.csv: row 1: no column holds SMILES among id, structure; name it with --smiles, or the row of the header with --header`},
		{"Smiles,smiles\nCCCCCO,CCCCCN\n", "a.csv: row 1: several columns hold molecules: Smiles, smiles; rename one of them"},
		{"smiles,id\nCC\nCN\n", "a.csv: row 2: 1 cells where the header has 2; write a comma for each empty cell, and quote cells that hold a comma"},
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

func TestSupportFaults(t *testing.T) {
	tests := []struct{ text, want string }{
		{"smiles,label\nC,1\nN,perhaps\n", `s.csv: row 3, column label: label "perhaps" is neither active nor inactive`},
		{"smiles,label\nC,1\n", "s.csv: column label: there is no inactive molecule (label 0); a support set needs one or more of each class"},
		{"smiles,label\nC,0\n", "s.csv: column label: there is no active molecule (label 1); a support set needs one or more of each class"},
		{"smiles,label\nCO,0\nOC,1\n", "s.csv: column label: there is no inactive molecule that is not also the opposite: rows 2 and 3 are one molecule with both labels; correct the rows"},
		{
			"smiles,label\nC,1\nN,1\nO,0,5\n", "s.csv: column label: there is no inactive molecule (label 0); " +
				"1 row left out, such as row 4: 3 cells where the header has 2; a support set needs one or more of each class",
		},
	}
	for _, tt := range tests {
		_, err := ReadSupport(t.Context(), file(t, "s.csv", tt.text), plain, label.Tasks{})
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || !badinput.Is(err) {
			t.Errorf("%q:\n got %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

// TestRowsWithoutAMolecule: rows without a molecule are not repeats; each is listed.
func TestRowsWithoutAMolecule(t *testing.T) {
	s, err := ReadSupport(t.Context(), file(t, "s.csv", "name,smiles,label\nA,CCCF,1\nB,CCN,0\nX,,1\nY,,0\nZ,,1\n"), plain, label.Tasks{})
	if err != nil || len(s.Repeats) != 0 || len(s.SMILES) != 5 {
		t.Fatalf("%d molecules, %d repeats (%v), want 5 and none", len(s.SMILES), len(s.Repeats), err)
	}
	none := errors.New("molecule without atoms")
	if err := s.Drop([]error{nil, nil, none, none, none}, false); err != nil || len(s.Unread) != 3 || s.Unread[2].String() != "row 6 (Z)" {
		t.Errorf("left out: %v (%v)", s.Unread, err)
	}
}

// TestRepeats: a molecule of several rows counts once, with the label of most of them.
func TestRepeats(t *testing.T) {
	const text = "name,smiles,IC50 (uM)\nA,CCCF,0.2\nB,CCN,30\nA,FCCC,0.5\nA,CCCF.O,40\nC,c1ccccc1C,5\nC2,Cc1ccccc1,0.1\nD,CCC,50\n"
	by, err := label.Settings{Below: "1"}.Parse()
	if err != nil {
		t.Fatal(err)
	}
	s, err := ReadSupport(t.Context(), file(t, "s.csv", text), plain, by)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.SMILES, []string{"CCCF", "CCN", "CCC"}) || !slices.Equal(s.Labels, []uint8{1, 0, 0}) || len(s.Rows) != 7 {
		t.Errorf("%q %v of %d rows", s.SMILES, s.Labels, len(s.Rows))
	}
	var notes []string
	for _, n := range s.Notes {
		notes = append(notes, n.String())
	}
	for _, want := range []string{
		"5 rows are of 2 molecules: each molecule counts once, with the label of most of its rows; the widest, rows 2, 4, 5 (A): median 0.5 of 3 values, 0.2 to 40 (rows 2, 4 to 7; --repeats)",
		"rows 2, 4 and 5 (A) are one molecule with both labels (--repeats)", "rows 6 and 7 (C) are one molecule with both labels, and left out (--repeats)", "a salt is read as its parent (--as-drawn)",
	} {
		if !slices.Contains(notes, want) {
			t.Errorf("no note %s in\n%s", want, strings.Join(notes, "\n"))
		}
	}
	kept := plain
	kept.Repeats, kept.Standard.Drawn = Keep, true
	if s, err = ReadSupport(t.Context(), "s.csv", kept, by); err != nil || len(s.SMILES) != 7 || s.SMILES[3] != "CCCF.O" {
		t.Errorf("kept: %q (%v)", s.SMILES, err)
	}
	known := KnownOf(s)
	for smiles, want := range map[string]Mark{"Cc1ccccc1": InSupportActive | InSupportInactive, "CCC": InSupportInactive} {
		if got := known.Mark(t.Context(), smiles); got != want {
			t.Errorf("%s is known as %v, want %v", smiles, got, want)
		}
	}
}

// TestSeen: a model reads the parents of salts; the rows of the table keep the salts.
func TestSeen(t *testing.T) {
	rows := func(o Options) (seen []string, changes standard.Changes) {
		o.Options = plain.Options
		table, err := Open(t.Context(), []string{file(t, "a.csv", "smiles\nCCN.Cl\nCC[NH3+].[Cl-]\nCCO\n[NH3+]CCC\nNCCc1ccccc1.c1ccccc1O\n")}, o)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		for {
			row, err := table.Next()
			if errors.Is(err, io.EOF) {
				return seen, changes
			}
			if err != nil {
				t.Fatal(err)
			}
			table.Prepare(t.Context(), &row)
			changes.Add(row.Change, row.Line)
			seen = append(seen, row.SMILES)
		}
	}
	seen, changes := rows(Options{})
	if want := []string{"CCN", "CCN", "CCO", "CCCN", "NCCc1ccccc1.c1ccccc1O"}; !slices.Equal(seen, want) || !reflect.DeepEqual(changes, standard.Changes{Parents: 2, Charges: 1, Mixtures: 1, Mixed: []int{6}}) {
		t.Errorf("%q, %+v, want %q", seen, changes, want)
	}
	if seen, changes = rows(Options{Standard: standard.Options{Drawn: true}}); seen[1] != "CC[NH3+].[Cl-]" || !reflect.DeepEqual(changes, standard.Changes{}) {
		t.Errorf("as drawn: %q, %+v", seen, changes)
	}
	if seen, _ = rows(Options{Standard: standard.Options{Largest: true, Drawn: true}}); seen[4] != "NCCc1ccccc1" {
		t.Errorf("the largest fragments: %q", seen)
	}
}
