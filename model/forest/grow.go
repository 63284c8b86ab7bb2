package forest

import (
	"math"
	"math/rand/v2"

	"pacia/model/shared/counts"
)

// Legend: N support molecules, C columns: the bits that any of them has.

// tree has its nodes in order of depth first, the root at 0.
type tree []node

// node is a split, or a leaf where bit is less than 0.
type node struct {
	bit   int32
	limit uint32  // molecules with 2 · count ≤ limit go on at the next node
	right int32   // and the others there
	share float64 // of actives in a leaf
}

// share returns the share of actives in the leaf that a molecule falls into, by its
// counts of all bits.
func (t tree) share(row []uint16) float64 {
	at := int32(0)
	for t[at].bit >= 0 {
		if n := &t[at]; 2*uint32(row[n.bit]) <= n.limit {
			at++
		} else {
			at = n.right
		}
	}
	return t[at].share
}

// grower grows the trees of a support set. A column has the rank of each
// molecule's count among the column's distinct counts, which are few.
type grower struct {
	n       int
	label   []uint8    // [N]
	tries   int        // bits that are tried at a node: √bits
	bits    []uint16   // all bits, in an order that changes
	column  []int32    // by bit; -1 where no molecule has it
	ranks   [][]uint16 // [C][N]
	values  [][]uint16 // [C], the distinct counts, ascending
	weight  [][2]int   // [N] how often a molecule was drawn, by its label: one of two is 0
	tally   [][2]int   // [N] room for weights by rank
	parting []int32    // [N] room for a partition
	rand    *rand.Rand
	nodes   tree
}

func newGrower(molecules []counts.Vector, labels []uint8, bits int) *grower {
	n := len(molecules)
	g := &grower{
		n: n, label: labels, tries: int(math.Sqrt(float64(bits))), bits: make([]uint16, bits), column: make([]int32, bits),
		weight: make([][2]int, n), tally: make([][2]int, n+1), parting: make([]int32, n),
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

// tree grows one from molecules drawn with replacement.
func (g *grower) tree(r *rand.Rand) tree {
	g.rand, g.nodes = r, nil
	clear(g.weight)
	for range g.n {
		i := r.IntN(g.n)
		g.weight[i][g.label[i]]++
	}
	var drawn []int32
	for i := range int32(g.n) {
		if g.weight[i] != [2]int{} {
			drawn = append(drawn, i)
		}
	}
	g.grow(drawn)
	return g.nodes
}

// grow adds the node of molecules, which it brings into another order, and what is
// below it.
func (g *grower) grow(molecules []int32) {
	var all [2]int // weight by label
	for _, i := range molecules {
		all[0], all[1] = all[0]+g.weight[i][0], all[1]+g.weight[i][1]
	}
	at := len(g.nodes)
	g.nodes = append(g.nodes, node{bit: -1, share: float64(all[1]) / float64(all[0]+all[1])})
	if all[0] == 0 || all[1] == 0 {
		return
	}
	bit, s := g.draw(molecules, all)
	if bit < 0 {
		return // they have equal counts and both labels
	}
	c := g.column[bit]
	left := g.part(molecules, g.ranks[c], s.rank)
	g.grow(molecules[:left])
	values := g.values[c]
	g.nodes[at] = node{bit: bit, limit: uint32(values[s.rank]) + uint32(values[s.next]), right: int32(len(g.nodes))}
	g.grow(molecules[left:])
}

// draw returns the best split of so many bits as are tried, and of one that splits
// at least; bit is less than 0 where there is none. Constant bits count as tried.
func (g *grower) draw(molecules []int32, all [2]int) (bit int32, best split) {
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

// part brings those of rank at most the given one to the front and returns how many
// they are.
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
