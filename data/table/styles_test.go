package table_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"pacia/data/table"
)

// TestFormatsOfNumbers: a number is read as a number, for any text that its format shows beside it. Dates
// and percentages are read as such.
func TestFormatsOfNumbers(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	cases := []struct {
		format string
		stored float64
		want   string
	}{
		{`0.0" nM"`, 350, "350"},
		{`0.0" nM/h"`, 5, "5"},
		{`0.00" kcal/mol"`, 3.25, "3.25"},
		{`0.0E+00" mM"`, 0.1, "0.1"},
		{`0.0\ \h`, 24, "24"},
		{`[Red]0.0" days";[Blue]-0.0" days"`, 7.5, "7.5"},
		{`[$µmol-407]0.0`, 2, "2"},
		{`0_d`, 12, "12"},
		{`[<1]0.00" ms";0" s"`, 0.5, "0.5"},
		{`General" s"`, 3, "3"},
		{`# ?/?`, 0.5, "0.5"},
		{"yyyy-mm-dd", 45415, "2024-05-03"},
		{"[$-407]d. mmmm yyyy", 45415, "2024-05-03"},
		{"[hh]:mm", 0.75, "18:00:00"},
		{"0.0%", 0.125, "12.5%"},
		{`0" %"`, 12, "12"},
		{`">"0.0`, 0.5, ">0.5"},
		{`>0`, 10, ">10"},
		{`[Red]\<0.00`, 3, "<3"},
		{`"≥ "0`, 4, "≥4"},
		{`[<1]"<"0.0;0.0`, 5, "5"},
		{`"> "0" uM"`, 20, ">20"},
	}
	rows := [][]any{{"smiles", "value"}}
	for i, c := range cases {
		rows = append(rows, []any{strings.Repeat("C", i+1), c.stored})
	}
	for i, row := range rows {
		at, _ := excelize.CoordinatesToCellName(1, i+1)
		if err := f.SetSheetRow("Sheet1", at, &row); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &cases[i-1].format})
			at, _ = excelize.CoordinatesToCellName(2, i+1)
			if err == nil {
				err = f.SetCellStyle("Sheet1", at, at, style)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	var book bytes.Buffer
	if err := f.Write(&book); err != nil {
		t.Fatal(err)
	}
	r, err := table.New("t.xlsx", &book, table.Options{SMILES: "smiles"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c, err := read(r)
	if err != nil || len(c.rows) != len(cases) {
		t.Fatalf("%d rows: %v", len(c.rows), err)
	}
	for i, tt := range cases {
		if got := c.rows[i].Fields[1]; got != tt.want {
			t.Errorf("%v as %s is read as %s, want %s", tt.stored, tt.format, got, tt.want)
		}
	}
}
