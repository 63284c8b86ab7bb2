package table_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"pacia/data/label"
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
		unit   string
	}{
		{`0.0" nM"`, 350, "350", "nM"},
		{`0.0" nM/h"`, 5, "5", ""},
		{`0.00" kcal/mol"`, 3.25, "3.25", ""},
		{`0.0E+00" mM"`, 0.1, "0.1", "mM"},
		{`0.0\ \h`, 24, "24", ""},
		{`[Red]0.0" days";[Blue]-0.0" days"`, 7.5, "7.5", ""},
		{`[$µmol-407]0.0`, 2, "2", ""},
		{`0_d`, 12, "12", ""},
		{`[<1]0.00" ms";0" s"`, 0.5, "0.5", ""},
		{`General" s"`, 3, "3", ""},
		{`# ?/?`, 0.5, "0.5", ""},
		{"yyyy-mm-dd", 45415, "2024-05-03", ""},
		{"[$-407]d. mmmm yyyy", 45415, "2024-05-03", ""},
		{"[hh]:mm", 0.75, "18:00:00", ""},
		{"[h]:mm:ss", 5, "120:00:00", ""},
		{"[mm]:ss", 1.5, "36:00:00", ""},
		{"[h]:mm:ss", -0.5, "-12:00:00", ""},
		{"0.0%", 0.125, "12.5%", ""},
		{`0" %"`, 12, "12", ""},
		{`">"0.0`, 0.5, ">0.5", ""},
		{`>0`, 10, ">10", ""},
		{`[Red]\<0.00`, 3, "<3", ""},
		{`"≥ "0`, 4, "≥4", ""},
		{`[<1]"<"0.0;0.0`, 5, "5", ""},
		{`"> "0" uM"`, 20, ">20", "uM"},
		// the section that shows the value counts alone
		{`_(* #,##0.0" nM"_);_(* (#,##0.0)" nM";_(* "-"??_);_(@_)`, 500, "500", "nM"},
		{`_(* #,##0.0" nM"_);_(* (#,##0.0)" nM";_(* "-"??_);_(@_)`, -5, "-5", "nM"},
		{`_(* #,##0.0" nM"_);_(* (#,##0.0)" nM";_(* "-"??_);_(@_)`, 0, "0", "nM"},
		{`_(* #,##0.0_)" nM";_(* (#,##0.0" nM)";_(* "-"??_);_(@_)`, -5, "-5", "nM"},
		{`0.0" nM";-0.0" nM";"-"`, 0, "0", "nM"},
		{`0.0" nM";"n/a"`, 5, "5", "nM"},
		{`0.0" nM";"n/a"`, -1, "n/a", ""},
		{`[=1]"active";[=0]"inactive";0.0" uM"`, 1, "active", ""},
		{`[=1]"active";[=0]"inactive";0.0" uM"`, 2, "2", "uM"},
		{`;;;`, 3, "3", ""},
		{`[>10000]">10000 nM";0.0" nM"`, 20000, ">10000", "nM"},
		{`[>10000]">10,000 nM";0.0" nM"`, 20000, ">10000", "nM"},
		{`[>10000]">10000 nM";0.0" nM"`, 500, "500", "nM"},
		{`[<1]"<1 nM";0.0" nM"`, 0.4, "<1", "nM"},
		{`[<1]\<0.0" nM";[>=100]">"0.0" nM";0.0" nM"`, 0.5, "<0.5", "nM"},
		{`[<1]\<0.0" nM";[>=100]">"0.0" nM";0.0" nM"`, 100, ">100", "nM"},
		{`[<1]\<0.0" nM";[>=100]">"0.0" nM";0.0" nM"`, 5, "5", "nM"},
		{`[Red][>=1000]0.0,"  µM";[Blue]0" nM"`, 2500, "2.5", "µM"},
		{`[Red][>=1000]0.0,"  µM";[Blue]0" nM"`, 999, "999", "nM"},
		// ways to write a unit
		{`0.0" (nM)"`, 5, "5", "nM"},
		{`0.0\ \(\n\M\)`, 5, "5", "nM"},
		{`0.0" [nM]"`, 5, "5", "nM"},
		{`0.0" nM (n = 3)"`, 5, "5", "nM"},
		{`0.0[$ nM]`, 5, "5", "nM"},
		{`0.0\ [$nM-409]`, 5, "5", "nM"},
		{`[$nM] 0.0`, 5, "5", "nM"},
		{`0.0\ \n\M`, 5, "5", "nM"},
		{`0.0\ "n"\M`, 5, "5", "nM"},
		{`0.0_-" nM"_-`, 5, "5", "nM"},
		{`0.0* "nM"`, 5, "5", "nM"},
		{`[Color 3]0.0" nM"`, 5, "5", "nM"},
		{`General" nM"`, 5, "5", "nM"},
		{`# ?/?" nM"`, 0.5, "0.5", "nM"},
		{`0.00E+00\ \µ\M`, 5, "5", "µM"},
		{`@" nM"`, 5, "5", ""},
		{`0_d" ug/ml"`, 5, "5", "ug/ml"},
		{`[Red]0" nM";[Blue]-0" nM";;@`, 5, "5", "nM"},
		{`"IC50 "0" nM"`, 5, "5", "nM"},
		{`0.0" nM"" uM"`, 5, "5", ""},
		// numbers divided by thousands
		{`0.0," uM"`, 500, "0.5", "uM"},
		{`0.0,," mM"`, 5e6, "5", "mM"},
		{`0.0,`, 5000, "5000", ""},
		{`0.0,"k"`, 5000, "5000", ""},
		// texts of numbers
		{`00000`, 1, "00001", ""},
		{`00000`, 1234567, "1234567", ""},
		{`"CPD-"0000`, 17, "CPD-0017", ""},
		{`0000000-00-0`, 50782, "0000050-78-2", ""},
		{`0.000`, 1, "1", ""},
		{`00.0`, 1, "1", ""},
		{`000" nM"`, 5, "5", "nM"},
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
		want := tt.want
		if tt.unit != "" {
			want = label.WithUnit(want, tt.unit)
		}
		if got := c.rows[i].Measured()[1]; got != want {
			t.Errorf("%v as %s is read as %q, want %q", tt.stored, tt.format, got, want)
		}
	}
}
