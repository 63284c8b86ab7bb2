package ranking

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/data/label"
	"pacia/model"
)

func scaleIn(t *testing.T, unit string) (*label.Rule, *label.Scale) {
	t.Helper()
	rule, err := label.NewRule("1000", "", unit, 0)
	if err != nil {
		t.Fatal(err)
	}
	return rule, rule.Scale()
}

// TestValueOf: the median of exact values takes precedence over bounds. Without any value, the threshold is
// the bound.
func TestValueOf(t *testing.T) {
	rule, scale := scaleIn(t, "nM")
	s := &Support{Rule: rule, Scale: scale}
	for _, c := range []struct {
		rows []Labelled
		want label.Measured
	}{
		{[]Labelled{{Value: 10}, {Value: 1000}, {Value: 10000, Side: 1}}, label.Measured{Value: 7}},
		{[]Labelled{{Value: 10000, Side: 1}}, label.Measured{Value: 5, Side: -1}},
		{[]Labelled{{Value: math.NaN()}}, label.Measured{Value: 6, Side: 1}},
	} {
		if got := s.valueOf(1, c.rows...); math.Abs(got.Value-c.want.Value) > 1e-12 || got.Side != c.want.Side {
			t.Errorf("%+v: %+v, want %+v", c.rows, got, c.want)
		}
	}
}

// TestPotencyCells: in the unit of the support set, the ends of the interval are exchanged, and an open end
// is empty.
func TestPotencyCells(t *testing.T) {
	_, scale := scaleIn(t, "nM")
	for _, c := range []struct {
		p    model.Potency
		want string
	}{
		{model.Potency{Value: 7, Low: 6, High: 8}, ",7,6,8,100,10,1000,nM"},
		{model.Potency{Value: 5.25, Low: float32(math.Inf(-1)), High: 6}, ",5.25,,6,5620,1000,,nM"},
	} {
		s := &Spill{Layout: Layout{Scale: scale}}
		v, got := s.View(nil, asIs), ""
		for i := range v.Columns {
			if slices.Contains([]string{"potency", "predicted"}, strings.Split(v.Columns[i].Name, "_")[0]) {
				got += "," + string(v.Columns[i].appendCell(nil, v, &Ranked{Score: Score{Score: model.Score{Potency: c.p}}}))
			}
		}
		if got != c.want {
			t.Errorf("%+v is written %q, want %q", c.p, got, c.want)
		}
	}
}
