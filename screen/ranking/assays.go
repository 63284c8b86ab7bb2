package ranking

import (
	"slices"
	"strconv"

	"pacia/internal/each"
)

// selectivity is the name of the column by which rows are ranked if there are several assays.
const selectivity = "selectivity"

// AgainstColumns returns the names of the columns of probabilities in the unwanted assays with these names.
func AgainstColumns(names []string) []string {
	return each.Of(names, func(name string) string { return "probability_" + name })
}

// An againstAssay is the probability that a molecule is active in an unwanted assay.
type againstAssay struct {
	Name        string  `json:"name"`
	Probability float32 `json:"probability"`
}

// againstColumns returns the columns of a ranking against unwanted assays with these names; none without names.
func againstColumns(names []string) (all []Column) {
	for i, name := range AgainstColumns(names) {
		c := Column{Name: name, Cell: func(to []byte, _ *View, r *Ranked) []byte {
			if i+1 < len(r.Each) {
				to = strconv.AppendFloat(to, float64(r.Each[i+1]), 'g', 6, 32)
			}
			return to
		}}
		if i == 0 {
			c.Member, c.Value = "against", func(_ *View, r *Ranked) any { return r.against(names) }
		}
		all = append(all, c)
	}
	if len(names) == 0 {
		return nil
	}
	return append(all, selectivityColumn)
}

var selectivityColumn = Column{Name: selectivity, Title: "Selectivity", Place: 30,
	Cell: func(to []byte, _ *View, r *Ranked) []byte {
		return strconv.AppendFloat(to, float64(r.Probability), 'g', 6, 32)
	},
	Value: func(_ *View, r *Ranked) any { return r.Probability },
	Text: "is the probability of being active in this assay and in none of those that it is ranked against, if the assays are " +
		"independent. Below it stands the probability of being active in each of them."}

// Explained returns the columns that have an explanation on the page.
func Explained() []Column {
	return each.If(slices.Concat(columns, []Column{selectivityColumn}), func(c Column) bool { return c.Text != "" })
}

// Sorting returns the columns by which rows are sorted.
func Sorting() []Column { return each.If(columns, func(c Column) bool { return c.Sort != "" }) }

// against returns the probabilities in the unwanted assays with these names; nil if the row has none.
func (s *Score) against(names []string) any {
	var all []againstAssay
	for i, name := range names {
		if i+1 < len(s.Each) {
			all = append(all, againstAssay{name, s.Each[i+1]})
		}
	}
	if all == nil {
		return nil
	}
	return all
}
