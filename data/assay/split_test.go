package assay_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pacia/data/assay"
	"pacia/data/label"
)

// TestSplits: columns that divide the rows of a table into assays or runs, and whether they decide.
func TestSplits(t *testing.T) {
	smiles := []string{"CCO", "CCCO", "CCCCO", "CCCCCO", "CCN", "CCCN"}
	// A table of long form: each molecule has a row for each value of a column, by which its measurement is multiplied.
	long := func(column string, values []string, factors []float64) string {
		var b strings.Builder
		fmt.Fprintf(&b, "ID,SMILES,%s,IC50 (uM)\n", column)
		for i, s := range smiles {
			for k, v := range values {
				fmt.Fprintf(&b, "M%d,%s,%s,%.3f\n", i, s, v, 0.1*math.Pow(4, float64(i))*factors[k])
			}
		}
		return b.String()
	}
	two, far, near := []string{"a", "b"}, []float64{1, 30}, []float64{1, 1.5}
	for _, tt := range []struct {
		name, text, want string // kind, whether it decides and is notable
	}{
		{"targets", long("Target Name", two, far), "rows are of 2 targets by column Target Name: a (6), b (6) true true"},
		{"targets whose labels agree", long("target_pref_name", two, near),
			"rows are of 2 targets by column target_pref_name: a (6), b (6) false true"},
		{"proteins", long("UniProt ID", two, far), "rows are of 2 targets by column UniProt ID: a (6), b (6) true true"},
		{"cell lines", long("CellLine", two, far), "rows are of 2 cell lines by column CellLine: a (6), b (6) true true"},
		{"organisms", long("Species", two, far), "rows are of 2 organisms by column Species: a (6), b (6) true true"},
		{"concentrations", long("Conc (uM)", []string{"10", "1", "0.1"}, []float64{0.1, 1, 10}),
			"rows are of 3 concentrations by column Conc (uM): 0.1 (6), 1 (6), 10 (6) true true"},
		{"doses without a word", long("[compound] uM", []string{"10", "1", "0.1"}, []float64{0.1, 1, 10}),
			"rows are of 3 values by column [compound] uM: 0.1 (6), 1 (6), 10 (6) true false"},
		{"times", long("Time point [h]", []string{"24", "48"}, far), "rows are of 2 times by column Time point [h]: 24 (6), 48 (6) true true"},
		{"assays", long("Protocol", two, far), "rows are of 2 assays by column Protocol: a (6), b (6) true true"},
		{"repeats in two assays", long("Assay", two, near), "rows are of 2 assays by column Assay: a (6), b (6) false true"},
		{"runs far apart", long("Run date", two, far), "rows are of 2 runs by column Run date: a (6), b (6) true true"},
		{"repeats", long("Run date", two, near), "rows are of 2 runs by column Run date: a (6), b (6) false true"},
		{"a column of any name", long("Buffer", two, far), "rows are of 2 values by column Buffer: a (6), b (6) true false"},
		{"repeats by a column of any name", long("Buffer", two, near), "rows are of 2 values by column Buffer: a (6), b (6) false false"},
		{"two repeats about the threshold", "ID,SMILES,Assay,IC50 (uM)\nA,CCO,x,0.9\nA,CCO,y,1.1\nB,CCN,x,1.2\nB,CCN,y,0.8\nC,CCC,x,9\nD,CCCl,x,0.1\n",
			"rows are of 2 assays by column Assay: x (4), y (2) false true"},
		{"numbers of rows", "ID,SMILES,Activity No,IC50 (uM)\nA,CCO,1,0.1\nA,CCO,2,5\nB,CCN,3,0.2\nB,CCN,4,9\nC,CCC,5,1\nC,CCC,6,1\n", ""},
		{"dates of other molecules", "ID,SMILES,Date,IC50 (uM)\nA,CCO,x,0.1\nB,CCN,y,5\nC,CCC,x,0.2\nD,CCCl,y,9\n",
			"rows are of 2 runs by column Date: x (2), y (2) false false"},
		{"targets of other molecules", "ID,SMILES,Target,IC50 (uM)\nA,CCO,x,0.1\nB,CCN,y,5\nC,CCC,x,0.2\nD,CCCl,y,9\n",
			"rows are of 2 targets by column Target: x (2), y (2) false true"},
		{"one target", "ID,SMILES,Target,IC50 (uM)\nA,CCO,x,0.1\nB,CCN,x,5\n", ""},
		{"another measurement", "ID,SMILES,hERG IC50 (uM),IC50 (uM)\nA,CCO,>30,0.1\nB,CCN,>30,5\nC,CCC,1,5\nD,CCCl,1,5\n", ""},
	} {
		a, err := read(t, tt.text, label.Settings{Columns: "IC50 (uM)", Below: "1", Units: "uM"}, assay.Options{SingleColumn: true})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var rows []assay.Marked
		molecules := map[string]int32{}
		for k, row := range a.Tasks[0].Rows {
			at, known := molecules[a.SMILES[row]]
			if !known {
				at = int32(len(molecules))
				molecules[a.SMILES[row]] = at
			}
			rows = append(rows, assay.Marked{Row: row, Molecule: at, Label: a.Tasks[0].Labels[k], Value: math.NaN(), Measured: a.Tasks[0].Value(k)})
		}
		got := ""
		for _, s := range a.Splits(rows) {
			got += fmt.Sprintf("%s %v %v", s.String(), s.Decides(), s.Notable())
		}
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
