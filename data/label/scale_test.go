package label

import (
	"math"
	"testing"
)

// TestScale: concentrations become negative logarithms of mol/l, and upper bounds lower ones. A
// percentage is unchanged. Values convert back.
func TestScale(t *testing.T) {
	for _, c := range []struct {
		below, above, unit string
		value              float64
		side               int8
		want               Measured
		name               string
	}{
		{"1000", "", "nM", 100, 0, Measured{7, 0}, "pIC50"},
		{"1", "", "uM", 10, 1, Measured{5, -1}, "pIC50"},
		{"", "50", "%", 80, -1, Measured{80, -1}, "IC50 (nM)"},
		{"", "6", "", 6.5, 1, Measured{6.5, 1}, "IC50 (nM)"},
		{"50", "", "%", 20, 0, Measured{-20, 0}, "−IC50 (nM)"},
	} {
		rule, err := NewRule(c.below, c.above, c.unit, 0)
		if err != nil {
			t.Fatal(err)
		}
		s := rule.Scale()
		got, ok := s.To(c.value, c.side)
		if !ok || math.Abs(got.Value-c.want.Value) > 1e-12 || got.Side != c.want.Side {
			t.Errorf("%v with side %d, %s: %+v, want %+v", c.value, c.side, rule, got, c.want)
		}
		if back := s.From(got.Value); math.Abs(back-c.value) > 1e-9*c.value {
			t.Errorf("%v, %s, comes back as %v", c.value, rule, back)
		}
		if name := s.Name("IC50 (nM)"); name != c.name {
			t.Errorf("%s: called %q, want %q", rule, name, c.name)
		}
	}
	rule, _ := NewRule("1", "", "uM", 0)
	if _, ok := rule.Scale().To(0, 0); ok {
		t.Error("0 uM has a logarithm")
	}
}

// TestMedian: the default threshold is the median of the measurements, in their unit. If the side of
// actives is not known, the column is refused.
func TestMedian(t *testing.T) {
	read := func(name string, cells ...string) (*ColumnReading, error) {
		h := &Header{Names: []string{name}, Cells: func(int) []string { return cells }, Skip: func(int) bool { return false }}
		return Tasks{Numbers: true}.Read(h, 0, 0, func(int) []Cell {
			var all []Cell
			for i, text := range cells {
				all = append(all, Cell{int32(i), text})
			}
			return all
		}, OtherSeparator, "")
	}
	of, err := read("IC50 (nM)", "10", ">1000", "200 nM", "50")
	if err != nil {
		t.Fatal(err)
	}
	if of.Rule.String() != "below 125 nM" || of.Sides[1] != 1 || of.Verdicts[0] != Active || of.Verdicts[1] != Inactive {
		t.Errorf("rule %s, sides %v, verdicts %v", of.Rule, of.Sides, of.Verdicts)
	}
	if of, err = read("pIC50", "5", "7", "6.5"); err != nil || of.Rule.String() != "above 6.5" {
		t.Errorf("pIC50: %v, %v", of, err)
	}
	if of, err = read("-log10 IC50 (M)", "5", "7", "6.5"); err != nil || of.Rule.String() != "above 6.5" {
		t.Errorf("-log10 IC50 (M): %v, %v", of, err)
	}
	if of, err = read("IC50", "5", "7", "6.5"); err != nil {
		t.Fatal(err)
	}
	s := of.Rule.Scale()
	if _, changed := s.Positive("IC50", of.Rule, of.Values); !changed || s.Name("IC50") != "−log10 of IC50" {
		t.Errorf("the logarithm of values without a unit is called %s", s.Name("IC50"))
	}
	if of, err = read("log IC50 (nM)", "5", "7", "6.5"); err != nil || of.Rule.String() != "below 6.5" {
		t.Fatal(of, err)
	}
	s = of.Rule.Scale()
	if _, changed := s.Positive("log IC50 (nM)", of.Rule, of.Values); changed {
		t.Error("logarithms are learnt as their logarithms")
	}
	for _, name := range []string{"activity (% of control)", "Activity [%]", "% binding", "response (percent)"} {
		if of, err := read(name, "5", "70", "90"); err == nil {
			t.Errorf("%s is learnt: %v", name, of.Rule)
		}
	}
	if of, err = read("% inhibition", "5", "70", "90"); err != nil || of.Rule.String() != "above 70 %" {
		t.Errorf("%% inhibition: %v, %v", of, err)
	}
	if _, err = read("result", "5", "7", "6.5"); err == nil {
		t.Error("a column without a known side is read")
	}
}

// TestUnitsBesideAndInTheName: units from a column of units take precedence over the one in the name. If
// they differ, there is a warning.
func TestUnitsBesideAndInTheName(t *testing.T) {
	rule, err := NewRule("1", "", "uM", 0)
	if err != nil {
		t.Fatal(err)
	}
	for units, want := range map[string]string{
		"nM": "values in the units of the column beside, and not in uM, by the column's name (--unit-column)",
		"µM": "",
	} {
		c := Column{Name: "IC50 (uM)", Rule: rule, Cells: []string{"0.5", "500", "20000"}, Units: []string{units, units, units}}
		r, err := c.Read()
		if err != nil {
			t.Fatal(err)
		}
		if notesOf(r) != want || r.Verdicts[0] != Active || r.Verdicts[2] != Inactive {
			t.Errorf("units %s: %v, %s; want %s", units, r.Verdicts, notesOf(r), want)
		}
	}
}
