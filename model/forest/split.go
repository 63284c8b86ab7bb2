package forest

import "slices"

// ranked returns for each count its rank among the distinct ones, and these in
// ascending order.
func ranked(counts []uint16) (ranks, values []uint16) {
	values = slices.Clone(counts)
	slices.Sort(values)
	values = slices.Compact(values)
	ranks = make([]uint16, len(counts))
	for i, c := range counts {
		at, _ := slices.BinarySearch(values, c)
		ranks[i] = uint16(at)
	}
	return ranks, values
}

// sum is that of molecules as often as they were drawn.
type sum struct {
	n      int
	target float64
}

func (s sum) and(o sum) sum  { return sum{s.n + o.n, s.target + o.target} }
func (s sum) less(o sum) sum { return sum{s.n - o.n, s.target - o.target} }

// of is that of one molecule.
func (g *grower) of(i int32) sum { return sum{g.weight[i], float64(g.weight[i]) * g.target[i]} }

// split parts a node's molecules by a column: those up to a rank, and the others.
type split struct {
	rank, next int     // of the largest count of the first part and the smallest of the other
	gain       float64 // the larger, the smaller is the impurity of the two parts
}

// best returns the best split of molecules by column c, the first of equal ones; ok
// is false where all have the same count. With n molecules in a part, and s the sum of their
// targets, the variance within the two parts, each weighted by its size, is less the larger
// Σ ((n − s)² + s²)/n over both is, as n and s are constant together. Of labels this is the Gini
// impurity.
func (g *grower) best(molecules []int32, c int32, all sum) (b split, ok bool) {
	ranks := g.ranks[c]
	tally := g.tally[:len(g.values[c])]
	clear(tally)
	for _, i := range molecules {
		tally[ranks[i]] = tally[ranks[i]].and(g.of(i))
	}
	var left sum
	last := -1 // rank of the molecules before
	for rank, t := range tally {
		if t.n == 0 {
			continue
		}
		if last >= 0 {
			gain := left.purity() + all.less(left).purity()
			if !ok || gain > b.gain {
				b, ok = split{rank: last, next: rank, gain: gain}, true
			}
		}
		left, last = left.and(t), rank
	}
	return b, ok
}

func (s sum) purity() float64 {
	rest := float64(s.n) - s.target
	return (rest*rest + s.target*s.target) / float64(s.n)
}
