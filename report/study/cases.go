package study

import (
	"cmp"
	"math"
	"slices"

	"pacia/internal/each"
)

// A Case is a query to show on its own.
type Case struct {
	Query int
	Why   string
}

// Cases are three queries: an active and an inactive one that the model finds
// easy, far on the right side of the median P(active) at a small depth, and between
// them one that it finds hard, near the median at a large depth. Where no query of a
// kind is there, it is left out. Molecules that are small enough to be drawn are
// preferred.
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

// median is that of P(active): scores rank, and need not lie around a half.
func (s *Study) median() float64 {
	all := each.Of(s.Queries, func(q Query) float64 { return float64(q.Probability) })
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// drawable is 0 for a molecule with a drawing that can be read at the size of a
// stamp.
func drawable(q Query) int {
	const characters = 50 // of the SMILES, at most
	if len(q.SMILES) > characters {
		return 1
	}
	return 0
}
