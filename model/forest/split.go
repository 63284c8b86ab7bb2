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

// split parts a node's molecules by a column: those up to a rank, and the others.
type split struct {
	rank, next int     // of the largest count of the first part and the smallest of the other
	gain       float64 // the larger, the smaller is the Gini impurity of the two parts
}

// best returns the best split of molecules by column c, the first of equal ones; ok
// is false where all have the same count. With weights w₀ and w₁ of the labels in a
// part, the impurity of the two parts, each weighted by its size, is less the larger
// Σ (w₀² + w₁²)/(w₀ + w₁) over both is.
func (g *grower) best(molecules []int32, c int32, all [2]int) (b split, ok bool) {
	ranks := g.ranks[c]
	tally := g.tally[:len(g.values[c])]
	clear(tally)
	for _, i := range molecules {
		t, w := &tally[ranks[i]], &g.weight[i]
		t[0], t[1] = t[0]+w[0], t[1]+w[1]
	}
	var left [2]int
	last := -1 // rank of the molecules before
	for rank, t := range tally {
		if t == [2]int{} {
			continue
		}
		if last >= 0 {
			gain := purity(left) + purity([2]int{all[0] - left[0], all[1] - left[1]})
			if !ok || gain > b.gain {
				b, ok = split{rank: last, next: rank, gain: gain}, true
			}
		}
		left[0], left[1], last = left[0]+t[0], left[1]+t[1], rank
	}
	return b, ok
}

func purity(w [2]int) float64 {
	return float64(w[0]*w[0]+w[1]*w[1]) / float64(w[0]+w[1])
}
