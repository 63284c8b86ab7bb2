package forest

import "slices"

// ranked returns the rank of each count among the distinct counts, and the distinct
// counts in ascending order.
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

// sum is the number and the total target of molecules, weighted by how often they were drawn.
type sum struct {
	n      int
	target float64
}

func (s sum) and(o sum) sum  { return sum{s.n + o.n, s.target + o.target} }
func (s sum) less(o sum) sum { return sum{s.n - o.n, s.target - o.target} }

// single returns the sum of one molecule.
func (g *grower) single(i int32) sum { return sum{g.weight[i], float64(g.weight[i]) * g.target[i]} }

// split separates a node's molecules by a column: those up to a rank, and the others.
type split struct {
	rank, next int     // ranks of the largest count of the first part and the smallest of the other
	gain       float64 // larger for a smaller impurity of the two parts
}

// best returns the best split of molecules by column c, the first of equally good ones. ok is
// false if all have the same count. Let n be the number of molecules in a part and s the sum
// of their targets. The variance within the two parts, weighted by size, falls as
// Σ ((n − s)² + s²)/n over both parts rises, because the totals of n and s are constant. For
// labels this is the Gini impurity.
func (g *grower) best(molecules []int32, c int32, all sum) (b split, ok bool) {
	ranks := g.ranks[c]
	tally := g.tally[:len(g.values[c])]
	clear(tally)
	for _, i := range molecules {
		tally[ranks[i]] = tally[ranks[i]].and(g.single(i))
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
