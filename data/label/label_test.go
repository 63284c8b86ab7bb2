package label

import (
	"slices"
	"strings"
	"testing"
)

const (
	i = Inactive
	a = Active
	m = Missing
	u = Undecided
	x = Unread
	o = Other
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
	for _, text := range []string{"2", "maybe", "0.5", "yes!", "++", "1 0", "nan1", "inf", "-Infinity", "1e999", "1.000", "1,000", strings.Repeat("yes", 100)} {
		if got, ok := Word(text); ok {
			t.Errorf("%q is read as %d, want that it is not read", text, got)
		}
	}
}

// reading reads cells that are separated by bars.
func reading(t *testing.T, c Column, cells string) (*Reading, error) {
	t.Helper()
	c.Cells = strings.Split(cells, "|")
	return c.Read()
}

// notesOf returns the notes of a reading in one line.
func notesOf(r *Reading) string {
	var all []string
	for _, n := range r.Notes {
		all = append(all, n.String())
	}
	return strings.Join(all, "; ")
}

// TestMeasurements: cells, the threshold, and the verdicts that follow.
func TestMeasurements(t *testing.T) {
	for _, c := range []struct {
		header, below, above, unit string
		cells                      string // separated by |
		want                       []Verdict
	}{
		{"IC50", "1", "", "uM", "0.5|1|2|1.0001", []Verdict{a, i, i, i}},
		{"IC50", "1", "", "uM", "<1|<=1|<2|>1|>=1|>0.5|≤0.9|≥2", []Verdict{a, u, u, i, i, u, a, i}},
		{"pIC50", "", "6", "", "6.1|6|5|>6|>=6|>5|<6|≤6|<7", []Verdict{a, i, i, a, u, u, i, i, u}},
		{"IC50", "1", "", "uM", "500 nM|1000 nM|5 uM|0.3 µM|0.0000002 M|>10μM|1 mM|2e2nM|0.5|90 nmol/L|2 umol.L-1", []Verdict{a, i, i, a, a, i, i, a, a, a, i}},
		{"IC50 (nM)", "1", "", "uM", "500|1000|5000|<1000| > 2000 |0.5 uM", []Verdict{a, i, i, a, i, a}},
		{"IC50_nM", "100", "", "", "99|100|>10000", []Verdict{a, i, i}},
		{"IC50 [µM]", "100 nM", "", "", "0,05|0,5|5", []Verdict{a, i, i}},
		{"IC50", "1,5", "", "", "1,25|1,75|1.250", []Verdict{a, i, i}}, // 1.250 is 1250 beside 1,25
		{"IC50", "1,5", "", "", "1.250,5|1,2|1.200", []Verdict{i, a, i}},
		{"Ki", "1000", "", "nM", "1,234|12,345|999|1,000,000", []Verdict{i, i, a, i}},
		{"Ki", "1000", "", "nM", "12 345|1\u00a0234,5|999,5|1'234", []Verdict{i, i, a, i}},
		{"Ki", "1", "", "", "0.5 ± 0.1|2 +/- 0.3|~0.7|n.d.|-|inconclusive|30 (±2)|0.2 (n=3)|inactive|active", []Verdict{a, i, a, m, m, u, i, a, i, a}},
		{"Ki", "1", "", "", "0.5|2|3|0.7|0.2*|10-30", []Verdict{a, i, i, a, x, x}},
		{"Ki", "1", "", "uM", "1x10-9 M|1.5 × 10^-6 M|2*10⁻⁷ M|>1x10^-5 M|5x10-1|1x10-5 (n=2)|1x109|2 x 10|3x10-9-5",
			[]Verdict{a, i, a, i, a, a, x, x, x}},
		{"Ki", "1", "", "", "gt 10|GT 0.5|lt 0.3|less than 5|greater than or equal 1|ca 0.5|approx 2|about -3|sample 10",
			[]Verdict{i, u, a, u, i, a, i, a, x}},
		{"Ki", "100000", "", "nM", "1,00,000|12,34,567|99,999|1,00,00|1,00,000.5|999,99,999", []Verdict{i, i, a, x, i, x}},
		{"Inhibition (%)", "", "50", "", "72|12 %|50.5%|-3", []Verdict{a, i, a, i}},
		{"% inhibition at 10 uM", "", "50", "%", "72|12", []Verdict{a, i}},
		{"MIC", "8", "", "ug/ml", "4|16 mg/l|0.002 g/l|>64", []Verdict{a, i, a, i}},
		{"score", "", "-6.5", "", "-7|−6|1E-3|+2", []Verdict{i, a, a, a}},
		{"LogAC50 (M)", "-6", "", "", "-7.5|-5|-6", []Verdict{a, i, i}}, {"AC50 (M)", "-6", "", "", "-7.5|-5|-6", []Verdict{a, i, i}},
		{"IC50 (uM)", "1", "", "uM", "0.5 ｎM|５|＜0.1|500 &micro;M|0.5 micro M|500 мкМ|&gt;10|900 nano molar", []Verdict{a, i, a, i, a, i, i, a}},
		{"binding", "", "1", "", "+|++|+++|-|+/-|n.d.", []Verdict{i, a, a, i, i, m}}, {"score", "", "1", "", "0|1+|2+|3+", []Verdict{i, i, a, a}},
	} {
		rule, err := NewRule(c.below, c.above, c.unit, 0)
		if err != nil {
			t.Fatal(err)
		}
		r, err := reading(t, Column{Name: c.header, Rule: rule}, Plain(c.cells))
		if err != nil || !slices.Equal(r.Verdicts, c.want) {
			t.Errorf("%s, active %s:\n %s\n got %v (%v)\nwant %v", c.header, rule, c.cells, r, err, c.want)
		}
	}
}

// TestCommas: the meaning of commas and points follows from a column's numbers, or the column is refused.
func TestCommas(t *testing.T) {
	rule, err := NewRule("100", "", "nM", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		cells   string
		by      Separator
		decimal byte
		want    []Verdict // nil: refused
		notes   string    // or the error
	}{
		{"0,5|12,75|1.000|2.500|500,5|90.000", Semicolons, 0, []Verdict{a, a, i, i, i, i}, "commas are before decimals: 0,5 is 0.5 (--decimal); points are between thousands: 1.000 is 1000 (--decimal)"},
		{"0,5|12,75|1.000", OtherSeparator, ',', []Verdict{a, a, i}, ""},
		{"12,500|3|50", OtherSeparator, 0, []Verdict{i, a, a}, "commas are between thousands, as three digits follow each: 12,500 is 12500 (--decimal)"},
		{"12,500|3|50", Semicolons, 0, nil, `"12,500" may be 12.5 or 12500; write --decimal . or --decimal ,`},
		{"12,500|3|50", Semicolons, ',', []Verdict{a, a, a}, ""},
		{"12,500|3.5|50", Stored, 0, nil, `"12,500" may be 12.5 or 12500; write --decimal . or --decimal ,`}, // text, as 12500 and 12.5 are stored as numbers
		{"0,125|0,250|12,500", Semicolons, 0, []Verdict{a, a, a}, "commas are before decimals: 12,500 is 12.5 (--decimal)"},
		{"0,5|2.5", OtherSeparator, 0, nil, `commas and points are before decimals, or between thousands: "0,5" and "2.5"; write --decimal . or --decimal ,`},
		{"0,5|2.5|1,250", OtherSeparator, '.', []Verdict{a, a, i}, ""},
		{"0,5|2.5", Stored, 0, []Verdict{a, a}, "commas are before decimals: 0,5 is 0.5 (--decimal)"},
		{"1.000|250|90", OtherSeparator, 0, nil, `"1.000" may be 1 or 1000; write --decimal . or --decimal ,`},
		{"1.125|2.250", OtherSeparator, 0, []Verdict{a, a}, "points are before decimals: 1.125 is 1.125 (--decimal)"},
		{"1.125|2.250", Semicolons, 0, nil, `"1.125" may be 1.125 or 1125; write --decimal . or --decimal ,`},
		{"1.125|2.25|4", Stored, 0, []Verdict{a, a, a}, ""},
		{"1.5|12.500|4", Stored, 0, nil, `"12.500" may be 12.5 or 12500; write --decimal . or --decimal ,`}, // text, as no number is stored with a trailing 0
		{">1.500|12.500|0.50", Stored, 0, []Verdict{Undecided, a, a}, ""},
		{"1.125|0,5", Stored, 0, nil, `commas and points are before decimals, or between thousands: "0,5" and "1.125"; write --decimal . or --decimal ,`},
		{"1,125|2.250", OtherSeparator, 0, nil, `commas and points are before decimals, or between thousands: "1,125" and "2.250"; write --decimal . or --decimal ,`},
		{"1,234.5|2.5|1,000", OtherSeparator, 0, []Verdict{i, a, i}, "commas are between thousands: 1,000 is 1000 (--decimal)"},
	} {
		r, err := reading(t, Column{Name: "IC50", Rule: rule, Separator: tt.by, Choices: Choices{Decimal: tt.decimal}}, tt.cells)
		if tt.want == nil {
			if err == nil || !strings.HasSuffix(err.Error(), tt.notes) {
				t.Errorf("%s:\n got %v\nwant %s", tt.cells, err, tt.notes)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v, want %v", tt.cells, err, tt.want)
			continue
		}
		got := strings.TrimSuffix(strings.TrimSuffix(notesOf(r), "values in nM, as the threshold (--value-unit)"), "; ")
		if !slices.Equal(r.Verdicts, tt.want) || got != tt.notes {
			t.Errorf("%s: %v, want %v\n got %s\nwant %s", tt.cells, r.Verdicts, tt.want, got, tt.notes)
		}
	}
}

// TestSides: a rule whose active side is not the usual one gives a warning.
func TestSides(t *testing.T) {
	for _, tt := range []struct{ header, below, above, want string }{
		{"pIC50", "6", "", `active is below 6: actives have usually large values of "pIC50", which is --active-above 6`},
		{"pIC50", "", "6", ""}, {"IC50 (uM)", "1", "", ""},
		{"IC50 (uM)", "", "1", `active is above 1: actives have usually small values of "IC50 (uM)", which is --active-below 1`},
		{"% inhibition", "50", "", `active is below 50: actives have usually large values of "% inhibition", which is --active-above 50`},
		{"viability (%)", "50", "", ""}, {"score", "", "6", ""}, {"score", "6", "", ""},
		{"Activity (nM)", "50", "", ""}, // a concentration, and not a response
	} {
		rule, err := NewRule(tt.below, tt.above, "", 0)
		if err != nil {
			t.Fatal(err)
		}
		r, err := reading(t, Column{Name: tt.header, Rule: rule}, "0.5|50|7.5")
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, n := range r.Notes {
			if n.Warning {
				got += n.Text
			}
		}
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.header, got, tt.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ header, below, unit, cell, want string }{
		{"hit", "", "", "maybe", `label "maybe" is neither active nor inactive; write 1 or 0, yes or no, true or false, active or inactive, + or -, leave the cell empty, or name it in --active-words or --inactive-words`},
		{"hit", "", "", "<3.2 uM", `label "<3.2 uM" is a measurement; define what is active with --active-below or --active-above and --unit, or choose another column with --label`},
		{"IC50", "1", "uM", "low", `"low" cannot be read as a measurement; write a number, perhaps with <, > and a unit such as uM, or leave the cell empty`},
		{"IC50", "1", "uM", "5 mg/l", `the unit mg/l cannot be compared with the threshold's, uM; write --unit, that of the threshold, or choose another column with --label`},
		{"AC50 (M)", "1", "uM", "-6.5", `"-6.5" is not a concentration; where values are logarithms, write --value-unit log (-log for those such as a pIC50), and a threshold like them without --unit`},
		{"IC50", "1", "", "-6.5", `"-6.5" is not a concentration; where values are logarithms, write --value-unit log (-log for those such as a pIC50), and a threshold like them without --unit`},
		{"IC50", "1", "", "5 uM", `"5 uM" has a unit, uM, and the threshold has none; write --unit, that of the threshold`},
	} {
		rule, err := NewRule(c.below, "", c.unit, 0)
		if err != nil {
			t.Fatal(err)
		}
		column := Column{Name: c.header, Rule: rule, Cells: []string{"n/a", c.cell}}
		if _, err = column.Read(); err == nil || err.Error() != "row 2: "+c.want {
			t.Errorf("%s of %s:\n got %v\nwant %s", c.cell, c.header, err, c.want)
		}
	}
	for _, c := range []struct{ below, above, unit, want string }{
		{"1", "6", "", "--active-below and --active-above exclude each other; write one of them"},
		{"", "", "uM", "--unit is that of a threshold; also write --active-below or --active-above"},
		{"low", "", "", `--active-below "low" is not a threshold; write a number, such as 1`},
		{"", "<6", "", `--active-above "<6" is not a threshold; write a number, such as 1`},
		{"1", "", "parsec", "--unit parsec is not known; write M, mM, uM, nM, pM, mol/l, g/l, mg/l, ug/ml or %"},
		{"1 uM", "", "nM", "--active-below 1 uM names another unit than --unit nM; leave out --unit"},
		{"1,000", "", "nM", "--active-below 1,000 may be 1 or 1000; write 1 or 1000"},
		{"2.500", "", "nM", "--active-below 2.500 may be 2.5 or 2500; write 2.5 or 2500"},
	} {
		if _, err := NewRule(c.below, c.above, c.unit, 0); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	for text, want := range map[string]float64{"1,000,000": 1e6, "0,500": 0.5, "1,5": 1.5, "12,345.5": 12345.5} {
		if r, err := NewRule(text, "", "", 0); err != nil || r.threshold != want {
			t.Errorf("%s: %v (%v), want %v", text, r, err, want)
		}
	}
}

// FuzzMeasurement: any cell is read or refused, without a panic.
func FuzzMeasurement(f *testing.F) {
	for _, cell := range []string{"<0,5 µM", ">= 10", "1e", "1e+", "±", "5 ± ", "−", "1,2,3.4.5", "5 (", "5 ()", "1 234", "IC50 (M)",
		"5 ·", "IC50 · nM"} {
		f.Add(cell)
	}
	rule, err := NewRule("1", "", "uM", 0)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		for _, r := range []*Rule{nil, rule} {
			column := Column{Name: cell, Rule: r, Cells: []string{cell}, Units: []string{cell}, Signs: []string{cell}, Types: []string{cell}}
			if got, err := column.Read(); err == nil && got.Verdicts[0] > Other {
				t.Errorf("%q is read as %d", cell, got.Verdicts[0])
			}
		}
	})
}
