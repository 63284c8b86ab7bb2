package study

import (
	"cmp"
	"math"
	"slices"

	"pacia/internal/each"
)

// A Case is a query that is shown by itself.
type Case struct {
	Query int
	Why   string
}

// Cases returns up to three queries: an easy active one, a hard one and an easy inactive one. Easy
// queries have a small depth and are far on the correct side of the median P(active). Hard queries have a large
// depth and are near the median. Kinds without a query are left out. Molecules that are small enough to be drawn
// are preferred.
func (s *Study) Cases() (cases []Case) {
	median := s.median()
	margin := func(q Query) float64 { return math.Abs(float64(q.Probability) - median) }
	right := func(active bool) func(Query) bool {
		return func(q Query) bool { return q.Active == active && (float64(q.Probability) > median) == active }
	}
	easy := func(a, b Query) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), -cmp.Compare(margin(a), margin(b)))
	}
	hard := func(a, b Query) int {
		return cmp.Or(-cmp.Compare(a.Depth, b.Depth), cmp.Compare(margin(a), margin(b)))
	}
	for _, kind := range []struct {
		why   string
		takes func(Query) bool
		order func(a, b Query) int
	}{
		{"easy, active", right(true), easy},
		{"hard", func(Query) bool { return true }, hard},
		{"easy, inactive", right(false), easy},
	} {
		var found []int
		for i, q := range s.Queries {
			used := slices.ContainsFunc(cases, func(c Case) bool { return c.Query == i })
			if kind.takes(q) && !used {
				found = append(found, i)
			}
		}
		slices.SortStableFunc(found, func(i, j int) int {
			a, b := s.Queries[i], s.Queries[j]
			return cmp.Or(cmp.Compare(drawable(a), drawable(b)), kind.order(a, b))
		})
		if len(found) > 0 {
			cases = append(cases, Case{found[0], kind.why})
		}
	}
	return cases
}

// median returns the median P(active), because probabilities need not be centred at ½.
func (s *Study) median() float64 {
	all := each.Of(s.Queries, func(q Query) float64 { return float64(q.Probability) })
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// drawable returns 0 for a molecule whose drawing is readable at a small size, and 1
// otherwise.
func drawable(q Query) int {
	const characters = 50 // of the SMILES, at most
	if len(q.SMILES) > characters {
		return 1
	}
	return 0
}
