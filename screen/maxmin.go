package screen

import (
	"fmt"

	"pacia/data/rdkit"
)

// maxPool is the largest number of molecules that maxMin accepts.
const maxPool = 100_000

// maxMin picks diverse molecules by their fingerprints. It picks the first molecule, and then repeatedly the
// molecule with the smallest similarity to its most similar pick; the first one of equals. (Ashton et al.:
// Identification of Diverse Database Subsets using Property-Based and Fragment-Based Molecular Descriptions,
// Quant. Struct.-Act. Relat. 21, 2002; RDKit's MaxMinPicker picks the same.) Similarity is the Tanimoto coefficient
// Σ min / Σ max of the counts. maxMin returns the indices of the picks, in the order of picking. There are picks of
// them, or as many as there are molecules.
func maxMin(molecules []rdkit.Counts, picks int) ([]int, error) {
	picks = min(picks, len(molecules))
	if picks <= 0 {
		return nil, nil
	}
	if len(molecules) > maxPool {
		return nil, fmt.Errorf("a pool of %d molecules to pick from, more than %d", len(molecules), maxPool)
	}
	pool := make([]pooled, len(molecules))
	for i, m := range molecules {
		pool[i] = pooled{Counts: m, nearest: 1}
		for _, n := range m.Count {
			pool[i].total += int(n)
		}
	}
	picked := []int{0}
	for len(picked) < picks {
		pool[picked[len(picked)-1]].picked = true
		best, farthest := -1, -1.0
		for i := range pool {
			c := &pool[i]
			if c.picked {
				continue
			}
			// The bound only falls, so a molecule that is not farther already needs no more distances.
			for c.compared < len(picked) && c.nearest > farthest {
				c.nearest = min(c.nearest, c.distance(&pool[picked[c.compared]]))
				c.compared++
			}
			if c.nearest > farthest {
				best, farthest = i, c.nearest
			}
		}
		picked = append(picked, best)
	}
	return picked, nil
}

// pooled is a molecule of a pool.
type pooled struct {
	rdkit.Counts
	total    int     // the sum of its counts
	nearest  float64 // the distance to the nearest of the picks that it was compared with
	compared int     // the number of these, in the order of picking
	picked   bool
}

// distance returns 1 − Σ min / Σ max of the counts. It is 0 for two molecules without any counts.
func (c *pooled) distance(with *pooled) float64 {
	common := 0
	for a, b := 0, 0; a < len(c.Bit) && b < len(with.Bit); {
		switch {
		case c.Bit[a] < with.Bit[b]:
			a++
		case c.Bit[a] > with.Bit[b]:
			b++
		default:
			common += int(min(c.Count[a], with.Count[b]))
			a, b = a+1, b+1
		}
	}
	all := c.total + with.total - common
	if all == 0 {
		return 0
	}
	return 1 - float64(common)/float64(all)
}
