package forest

import (
	"math/rand/v2"
	"testing"
)

// impurity is the Gini impurity of the molecules with a count up to limit/2 and of
// the others, each times their number, by its definition. empty says that one of the
// two has none.
func impurity(rows [][]uint16, labels []uint8, weight []int, bit int, limit uint32) (sum float64, empty bool) {
	var w [2][2]float64
	for i, row := range rows {
		side := 0
		if 2*uint32(row[bit]) > limit {
			side = 1
		}
		w[side][labels[i]] += float64(weight[i])
	}
	for _, s := range w {
		n := s[0] + s[1]
		if n == 0 {
			return 0, true
		}
		p := s[1] / n
		sum += n * 2 * p * (1 - p)
	}
	return sum, false
}

// TestBestSplit compares each column's best split with the least impurity over all
// limits, for molecules that were drawn several times.
func TestBestSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 2 + r.IntN(12)
		rows, labels, weight := make([][]uint16, n), make([]uint8, n), make([]int, n)
		for i := range rows {
			rows[i] = []uint16{uint16(r.IntN(5)), uint16(r.IntN(2)), uint16(r.IntN(3) * r.IntN(40))}
			labels[i], weight[i] = uint8(r.IntN(2)), 1+r.IntN(3)
		}
		g := newGrower(sparse(rows), labels, 3)
		var all [2]int
		var molecules []int32
		for i := range rows {
			g.weight[i][labels[i]] = weight[i]
			all[labels[i]] += weight[i]
			molecules = append(molecules, int32(i))
		}
		for bit := range 3 {
			c := g.column[bit]
			if c < 0 {
				continue
			}
			least, splits := 0.0, false
			for limit := range uint32(2 * 120) {
				if v, empty := impurity(rows, labels, weight, bit, limit); !empty && (!splits || v < least) {
					least, splits = v, true
				}
			}
			s, ok := g.best(molecules, c, all)
			if ok != splits {
				t.Fatalf("%v, bit %d: a split is there: %t, want %t", rows, bit, ok, splits)
			}
			if !ok {
				continue
			}
			values := g.values[c]
			got, _ := impurity(rows, labels, weight, bit, uint32(values[s.rank])+uint32(values[s.next]))
			// 1e-12 is far above the rounding of two sums of a dozen terms.
			if got > least+1e-12 {
				t.Errorf("%v labels %v weights %v, bit %d: the split has the impurity %v, the best one %v", rows, labels, weight, bit, got, least)
			}
		}
	}
}

// TestTrees: nodes are in order; the leaves are pure, or their molecules equal; and
// limits lie between the counts that they part.
func TestTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	rows, labels := make([][]uint16, 30), make([]uint8, 30)
	for i := range rows {
		rows[i], labels[i] = make([]uint16, 50), uint8(i%2)
		for range 8 {
			rows[i][r.IntN(50)]++
		}
	}
	rows[4] = rows[7] // with another label
	for k, tree := range grow(sparse(rows), labels, 50, 50, 1) {
		drawn := 0
		for at, n := range tree {
			if n.bit >= 0 && (int(n.right) <= at+1 || int(n.right) >= len(tree)) {
				t.Fatalf("tree %d: node %d goes on at %d of %d", k, at, n.right, len(tree))
			}
		}
		for i, row := range rows {
			switch s := tree.share(row); {
			case s == float64(labels[i]):
				drawn++
			case s > 0 && s < 1 && s != tree.share(rows[4]):
				t.Errorf("tree %d: molecule %d is in a leaf with the share %v", k, i, s)
			}
		}
		// Of 30 molecules 19 are drawn on average, and those are distinguished.
		if drawn < 12 {
			t.Errorf("tree %d has %d of 30 labels right", k, drawn)
		}
	}
}

// TestTries: of many constant bits, with which √bits tries are wasted, the one that
// splits is found.
func TestTries(t *testing.T) {
	rows, labels := make([][]uint16, 20), make([]uint8, 20)
	for i := range rows {
		rows[i], labels[i] = make([]uint16, 2048), uint8(i%2)
		rows[i][77] = uint16(i % 2)
		rows[i][78] = 3
	}
	for k, tree := range grow(sparse(rows), labels, 2048, 20, 1) {
		if tree[0].bit != 77 || tree[0].limit != 1 || len(tree) != 3 {
			t.Errorf("tree %d: %+v, want one split at ½ of bit 77", k, tree)
		}
	}
}

func BenchmarkGrow(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{16, 64, 256} {
		rows, labels := make([][]uint16, n), make([]uint8, n)
		for i := range rows {
			rows[i], labels[i] = make([]uint16, 2048), uint8(i%2)
			for range 60 {
				rows[i][min(r.IntN(2048), r.IntN(2048), r.IntN(2048))]++
			}
		}
		v := sparse(rows)
		b.Run(map[int]string{16: "16", 64: "64", 256: "256"}[n], func(b *testing.B) {
			for b.Loop() {
				grow(v, labels, 2048, 100, 1)
			}
		})
	}
}
