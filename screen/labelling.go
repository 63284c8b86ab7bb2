package screen

import (
	"pacia/data/label"
	"pacia/screen/ranking"
)

// Labelling says which molecules are active, as a person writes it. Empty fields are told
// from the file.
type Labelling struct {
	Column  string // with the labels or measurements
	Below   string // the value below which a measurement is active
	Above   string // the value above which it is
	Unit    string // of that value, and of measurements without one
	Decimal string // the sign before decimals: . or ,
}

// Labels returns what is said, or what is wrong with it.
func (l Labelling) Labels() (ranking.Labels, error) {
	rule, err := label.NewRule(l.Below, l.Above, l.Unit)
	if err != nil {
		return ranking.Labels{}, err
	}
	decimal, err := label.ParseDecimal(l.Decimal)
	return ranking.Labels{Column: l.Column, Rule: rule, Decimal: decimal}, err
}
