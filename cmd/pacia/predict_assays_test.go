package main

import (
	"slices"
	"strings"
	"testing"
)

// panel is a table with a column for each of two assays.
const panel = "name,smiles,Abl IC50 (nM),hERG IC50 (uM)\nA,CCO,20,0.7\nB,CCCO,300,>30\nC,CCN,9000,12\nD,CCCN,4000,>30\n"

// longPanel is the same in long form, with a row for each molecule and assay.
const longPanel = "name,smiles,Target Name,IC50 (nM)\nA,CCO,Abl,20\nA,CCO,hERG,700\nB,CCCO,Abl,300\nB,CCCO,hERG,>30000\n" +
	"C,CCN,Abl,9000\nC,CCN,hERG,12000\nD,CCCN,Abl,4000\nD,CCCN,hERG,>30000\n"

// TestAssaysOfTheirOwn: --rows chooses the rows of an assay, and --against and --outcome have columns, thresholds and rows
// of their own.
func TestAssaysOfTheirOwn(t *testing.T) {
	exampleFolder(t)
	put(t, "panel.csv", panel)
	put(t, "a:b.csv", panel)
	put(t, "long.csv", longPanel)
	put(t, "herg.csv", "name,smiles,hERG IC50 (uM)\nA,CCO,0.7\nB,CCCO,>30\nC,CCN,12\n")
	put(t, "out.csv", "smiles,active\nCCCCO,1\nCCCCN,0\n")
	put(t, "l.csv", "smiles\nCCCCO\nCCCCN\n")
	predict := slices.Clip([]string{"predict", "--method", "similarity", "--candidates", "l.csv", "--out", "r.csv", "--active-below",
		"1", "--unit", "uM"})
	wide := slices.Clip(append(predict, "--support", "panel.csv", "--label", "Abl IC50 (nM)"))
	rows := slices.Clip(append(predict, "--support", "long.csv", "--rows", "Target Name = Abl"))
	for _, tt := range []struct {
		args []string
		want string
	}{
		{rows, `support  2 inactive and 2 active molecules by column "IC50 (nM)" of long.csv`},
		{append(wide, "--against", "panel.csv:hERG IC50 (uM) < 10 uM"), `1 active molecules by column "hERG IC50 (uM)" of panel.csv: column probability_hERG_IC50`},
		{append(wide, "--against", "a:b.csv:hERG IC50 (uM) < 15 uM"), `2 active molecules by column "hERG IC50 (uM)" of a:b.csv`},
		{append(wide, "--against", "herg.csv:< 10 uM"), `1 active molecules by column "hERG IC50 (uM)" of herg.csv`},
		{append(rows, "--against", "long.csv:IC50 (nM) < 10 uM; Target Name = hERG"), `against  3 inactive and 1 active molecules by column "IC50 (nM)" of long.csv`},
		{append(wide, "--outcome", "out.csv:active"), "hits     1 of the first 2 are active"},
	} {
		if out := ok(t, tt.args...); !strings.Contains(out, tt.want) {
			t.Errorf("%v: the report lacks %s:\n%s", tt.args, tt.want, out)
		}
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{append(wide, "--against", "panel.csv"), `panel.csv: column Abl IC50 (nM): is the assay of --support itself; write the column and the threshold of another assay, such as --against "panel.csv:hERG IC50 (uM) < 10 uM"`},
		{append(wide, "--against", "a:b.csv:Abl IC50 (nM) < 5 uM"), "is the assay of --support itself"},
		{append(wide, "--against", "herg.csv"), `an assay of its own is written as --against "herg.csv:hERG IC50 (uM) < 10 uM"`},
		{append(wide, "--outcome", "out.csv"), `an assay of its own is written as --outcome "out.csv:active"`},
		{append(wide, "--against", "herg.csv:hERG IC50 (uM) < 20 uM; --value-unit nM"),
			"herg.csv: column hERG IC50 (uM): there is no inactive molecule"},
		{append(wide, "--against", "none.csv:hERG < 1 uM"), "none.csv: cannot be read"},
		{append(wide, "--against", "herg.csv:hERG IC50 (uM) < 10 uM; --bogus 1"), "has no option --bogus"},
		{append(wide, "--against", "herg.csv:hERG IC50 (uM) < 10 uM", "--against", "panel.csv:hERG IC50 (uM) < 10 uM; name != D"),
			"is given twice as --against"},
		{append(predict, "--support", "long.csv"), `rows 4, 5 of one molecule (B) have both labels: rows are of 2 targets by column Target Name: Abl (4), hERG (4); write --rows "Target Name = Abl", or another value`},
		{append(rows, "--against", "long.csv:IC50 (nM) < 2 uM"), `write --rows "long.csv:Target Name = `},
		{append(rows, "--rows", "Target Name = Src"), `no row fulfils "Target Name = Src"; its values are Abl, hERG`},
	} {
		refused(t, tt.want, tt.args...)
	}
	r := pacia(append(predict, "--support", "long.csv", "--repeats", "merge")...)
	if !strings.Contains(r.err, `warning: rows are of 2 targets by column Target Name: Abl (4), hERG (4) (--rows "Target Name = Abl")`) {
		t.Errorf("merged on demand: exit code %d, %s", r.code, r.err)
	}
}
