package label

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

const (
	i = Inactive
	a = Active
	m = Missing
	u = Undecided
)

func TestWords(t *testing.T) {
	for text, want := range map[string]Verdict{
		"1": a, "0": i, " 1 ": a, "1.0": a, "0.00": i, "1,0": a, "yes": a, "NO": i, "True": a, "FALSE": i, "Active": a, "inactive": i,
		"+": a, "-": i, "−": i, "": m, " ": m, "\u00a0": m, "n/a": m, "#N/A": m, "NaN": m, "nan": m, "WAHR": a, "FALSCH": i, "Inconclusive": u, "1e0": a,
	} {
		if got, ok := Word(text); !ok || got != want {
			t.Errorf("%q is read as %d (%v), want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"2", "maybe", "0.5", "yes!", "++", "1 0", "nan1", "inf", "-Infinity", "1e999", strings.Repeat("yes", 100)} {
		if got, ok := Word(text); ok {
			t.Errorf("%q is read as %d, want that it is not", text, got)
		}
	}
}

// TestMeasurements: what a table holds, the threshold, and what follows.
func TestMeasurements(t *testing.T) {
	for _, c := range []struct {
		header, below, above, unit string
		cells                      string // by |
		want                       []Verdict
	}{
		{"IC50", "1", "", "uM", "0.5|1|2|1.0001", []Verdict{a, i, i, i}},
		{"IC50", "1", "", "uM", "<1|<=1|<2|>1|>=1|>0.5|≤0.9|≥2", []Verdict{a, u, u, i, i, u, a, i}},
		{"pIC50", "", "6", "", "6.1|6|5|>6|>=6|>5|<6|≤6|<7", []Verdict{a, i, i, a, u, u, i, i, u}},
		{"IC50", "1", "", "uM", "500 nM|1000 nM|5 uM|0,3 µM|0.0000002 M|>10μM|1 mM|2e2nM|0.5", []Verdict{a, i, i, a, a, i, i, a, a}},
		{"IC50 (nM)", "1", "", "uM", "500|1000|5000|<1000| > 2000 |0.5 uM", []Verdict{a, i, i, a, i, a}},
		{"IC50_nM", "100", "", "", "99|100|>10000", []Verdict{a, i, i}},
		{"IC50 [µM]", "100 nM", "", "", "0,05|0,5|5", []Verdict{a, i, i}},
		{"IC50", "1,5", "", "", "1,25|1,75|1.25|1.75|1.250", []Verdict{a, i, a, i, a}},
		{"IC50", "1,5", "", "", "1.250,5|1,2|1.200|1.25", []Verdict{i, a, i, a}}, // where points are seen to part thousands
		{"Ki", "1000", "", "nM", "1,234|12,345|999|1,000,000", []Verdict{i, i, a, i}},
		{"Ki", "1", "", "", "0.5 ± 0.1|2 +/- 0.3|~0.7|n.d.|-||inconclusive", []Verdict{a, i, a, m, m, m, u}},
		{"Inhibition (%)", "", "50", "", "72|12 %|50.5%|-3", []Verdict{a, i, a, i}},
		{"% inhibition at 10 uM", "", "50", "%", "72|12", []Verdict{a, i}},
		{"MIC", "8", "", "ug/ml", "4|16 mg/l|0.002 g/l|>64", []Verdict{a, i, a, i}},
		{"score", "", "-6.5", "", "-7|-6|1E-3|+2", []Verdict{i, a, a, a}},
	} {
		rule, err := NewRule(c.below, c.above, c.unit)
		if err != nil {
			t.Fatal(err)
		}
		column := Column{Name: c.header, Rule: rule, Cells: strings.Split(c.cells, "|"), Commas: strings.Contains(c.cells, "1,234")}
		if got, err := column.Read(); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s, active %s:\n %s\n got %v (%v)\nwant %v", c.header, rule, c.cells, got, err, c.want)
		}
	}
}

// TestSignsAndUnitsBeside: databases keep the three in columns of their own.
func TestSignsAndUnitsBeside(t *testing.T) {
	rule, err := NewRule("1", "", "uM")
	if err != nil {
		t.Fatal(err)
	}
	c := Column{Name: "Standard Value", Rule: rule, Cells: []string{"500", "2000", "100", "3", "7", ""},
		Signs: []string{"'='", "'>'", "'>'", "", "=", "'='"}, Units: []string{"nM", "nM", "nM", "uM", "", ""}}
	if got, err := c.Read(); err != nil || !slices.Equal(got, []Verdict{a, i, u, i, i, m}) {
		t.Errorf("%v (%v)", got, err)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ header, below, unit, cell, want string }{
		{"hit", "", "", "maybe", `label "maybe" is neither active nor inactive; write 1 or 0, yes or no, true or false, active or inactive, + or -, or leave the cell empty`},
		{"hit", "", "", "<3.2 uM", `label "<3.2 uM" is a measurement; say what is active with --active-below or --active-above and --unit, or choose another column with --label`},
		{"IC50", "1", "uM", "low", `"low" cannot be read as a measurement; write a number, perhaps with <, > and a unit such as uM, or leave the cell empty`},
		{"IC50", "1", "uM", "1-3", `"1-3" cannot be read as a measurement; write a number, perhaps with <, > and a unit such as uM, or leave the cell empty`},
		{"IC50", "1", "uM", "5 mg/l", `the unit mg/l cannot be compared with the threshold's, uM; correct the cell, or leave it empty`},
		{"IC50", "1", "", "5 uM", `"5 uM" has a unit, and the threshold has none; write --unit, that of the threshold`},
		{"IC50 (nM)", "1", "", "5 uM", `"5 uM" has another unit than the column; write --unit, that of the threshold`},
	} {
		rule, err := NewRule(c.below, "", c.unit)
		if err != nil {
			t.Fatal(err)
		}
		column := Column{Name: c.header, Rule: rule, Cells: []string{"", c.cell}}
		_, err = column.Read()
		var at *CellError
		if !errors.As(err, &at) || at.Row != 1 || err.Error() != c.want {
			t.Errorf("%s of %s:\n got %v\nwant %s", c.cell, c.header, err, c.want)
		}
	}
	for _, c := range []struct{ below, above, unit, want string }{
		{"1", "6", "", "--active-below and --active-above exclude each other; write one of them"},
		{"", "", "uM", "--unit is that of a threshold; write --active-below or --active-above, too"},
		{"low", "", "", "--active-below low is no threshold; write a number, such as 1"},
		{"", "<6", "", "--active-above <6 is no threshold; write a number, such as 1"},
		{"1", "", "parsec", "--unit parsec is not known; write M, mM, uM, nM, pM, mg/l, ug/ml, g/l or %"},
		{"1 uM", "", "nM", "--active-below 1 uM names another unit than --unit nM; leave out --unit"},
	} {
		if _, err := NewRule(c.below, c.above, c.unit); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

// FuzzMeasurement: whatever a cell holds, it is read or refused.
func FuzzMeasurement(f *testing.F) {
	for _, cell := range []string{"<0,5 µM", ">= 10", "1e", "1e+", "±", "5 ± ", "−", "1,2,3.4.5"} {
		f.Add(cell)
	}
	rule, err := NewRule("1", "", "uM")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		for _, r := range []*Rule{nil, rule} {
			column := Column{Name: cell, Rule: r, Cells: []string{cell}}
			if got, err := column.Read(); err == nil && got[0] > Undecided {
				t.Errorf("%q is read as %d", cell, got[0])
			}
		}
	})
}
