package forest

import (
	"math"
	"math/rand/v2"

	"pacia/model/shared/counts"
)

// Legend: N support molecules, C columns (bits that are set in any of them).

// tree has its nodes in depth-first order, the root at 0.
type tree []node

// node is a split, or a leaf if bit is less than 0.
type node struct {
	bit   int32
	limit uint32  // molecules with 2 · count ≤ limit go to the next node
	right int32   // node of the other molecules
	value float64 // of a leaf: the mean of its molecules' targets
}

// value returns the value of the leaf that a molecule falls into, by its counts of all bits.
func (t tree) value(row []uint16) float64 {
	at := int32(0)
	for t[at].bit >= 0 {
		if n := &t[at]; 2*uint32(row[n.bit]) <= n.limit {
			at++
		} else {
			at = n.right
		}
	}
	return t[at].value
}

// grower grows the trees of a support set. A column has the rank of each
// molecule's count among the column's distinct counts, which are few.
type grower struct {
	n       int
	target  []float64  // [N]
	tries   int        // bits to try at a node: √bits
	bits    []uint16   // all bits, in an order that changes
	column  []int32    // by bit; -1 if no molecule has it
	ranks   [][]uint16 // [C][N]
	values  [][]uint16 // [C], the distinct counts, ascending
	weight  []int      // [N] how often a molecule was drawn
	tally   []sum      // [N] buffer for sums by rank
	parting []int32    // [N] buffer for a partition
	rand    *rand.Rand
	nodes   tree
}

func newGrower(molecules []counts.Vector, targets []float64, bits int) *grower {
	n := len(molecules)
	g := &grower{
		n: n, target: targets, tries: int(math.Sqrt(float64(bits))), bits: make([]uint16, bits), column: make([]int32, bits),
		weight: make([]int, n), tally: make([]sum, n+1), parting: make([]int32, n),
	}
	for b := range g.bits {
		g.bits[b], g.column[b] = uint16(b), -1
	}
	var columns [][]uint16 // [C][N] counts
	for i, v := range molecules {
		for k, b := range v.Bit {
			if g.column[b] < 0 {
				g.column[b] = int32(len(columns))
				columns = append(columns, make([]uint16, n))
			}
			columns[g.column[b]][i] = v.Count[k]
		}
	}
	for _, c := range columns {
		ranks, values := ranked(c)
		g.ranks, g.values = append(g.ranks, ranks), append(g.values, values)
	}
	return g
}

// tree grows a tree from molecules drawn with replacement.
func (g *grower) tree(r *rand.Rand) tree {
	g.rand, g.nodes = r, nil
	clear(g.weight)
	for range g.n {
		g.weight[r.IntN(g.n)]++
	}
	var drawn []int32
	for i := range int32(g.n) {
		if g.weight[i] > 0 {
			drawn = append(drawn, i)
		}
	}
	g.grow(drawn)
	return g.nodes
}

// grow adds the node of molecules and all nodes below it. It reorders molecules.
func (g *grower) grow(molecules []int32) {
	var all sum
	equal := true
	for _, i := range molecules {
		all = all.and(g.single(i))
		equal = equal && g.target[i] == g.target[molecules[0]]
	}
	at := len(g.nodes)
	g.nodes = append(g.nodes, node{bit: -1, value: all.target / float64(all.n)})
	if equal {
		g.nodes[at].value = g.target[molecules[0]] // exact, unlike a mean
		return
	}
	bit, s := g.draw(molecules, all)
	if bit < 0 {
		return // they have equal counts and different targets
	}
	c := g.column[bit]
	left := g.part(molecules, g.ranks[c], s.rank)
	g.grow(molecules[:left])
	values := g.values[c]
	g.nodes[at] = node{bit: bit, limit: uint32(values[s.rank]) + uint32(values[s.next]), right: int32(len(g.nodes))}
	g.grow(molecules[left:])
}

// draw returns the best split among g.tries random bits, or more until one of them splits.
// bit is less than 0 if no bit splits. Constant bits count as tried.
func (g *grower) draw(molecules []int32, all sum) (bit int32, best split) {
	bit = -1
	for k := range g.bits {
		if k >= g.tries && bit >= 0 {
			break
		}
		other := k + g.rand.IntN(len(g.bits)-k)
		g.bits[k], g.bits[other] = g.bits[other], g.bits[k]
		c := g.column[g.bits[k]]
		if c < 0 {
			continue
		}
		if s, ok := g.best(molecules, c, all); ok && (bit < 0 || s.gain > best.gain) {
			bit, best = int32(g.bits[k]), s
		}
	}
	return bit, best
}

// part moves the molecules of at most the given rank to the front and returns their
// number.
func (g *grower) part(molecules []int32, ranks []uint16, rank int) (left int) {
	right := g.parting[:0]
	for _, i := range molecules {
		if int(ranks[i]) <= rank {
			molecules[left] = i
			left++
		} else {
			right = append(right, i)
		}
	}
	copy(molecules[left:], right)
	return left
}
