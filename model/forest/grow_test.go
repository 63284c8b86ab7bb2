package forest

import (
	"math/rand/v2"
	"testing"
)

// impurity returns twice the squared deviation of targets from their mean, summed over the molecules
// with a count up to limit/2 and over the others. For labels it is the Gini impurity times the
// number of molecules. empty reports whether one of the two parts is empty.
func impurity(rows [][]uint16, targets []float64, weight []int, bit int, limit uint32) (total float64, empty bool) {
	side := func(row []uint16) int {
		if 2*uint32(row[bit]) > limit {
			return 1
		}
		return 0
	}
	var n, mean [2]float64
	for i, row := range rows {
		n[side(row)] += float64(weight[i])
		mean[side(row)] += float64(weight[i]) * targets[i]
	}
	if n[0] == 0 || n[1] == 0 {
		return 0, true
	}
	for i, row := range rows {
		d := targets[i] - mean[side(row)]/n[side(row)]
		total += 2 * float64(weight[i]) * d * d
	}
	return total, false
}

// TestBestSplit compares each column's best split with the least impurity over all
// limits, for molecules that were drawn several times, with labels and with values.
func TestBestSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 400 {
		n := 2 + r.IntN(12)
		rows, labels, weight := make([][]uint16, n), make([]float64, n), make([]int, n)
		for i := range rows {
			rows[i] = []uint16{uint16(r.IntN(5)), uint16(r.IntN(2)), uint16(r.IntN(3) * r.IntN(40))}
			labels[i], weight[i] = float64(r.IntN(2)), 1+r.IntN(3)
			if trial%2 == 1 {
				labels[i] = 6 + r.NormFloat64()
			}
		}
		g := newGrower(sparse(rows), labels, 3)
		var all sum
		var molecules []int32
		for i := range rows {
			g.weight[i] = weight[i]
			all = all.and(g.single(int32(i)))
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
			// 1e-10 is far above the rounding of two sums of a dozen squares of up to 100.
			if got > least+1e-10 {
				t.Errorf("%v labels %v weights %v, bit %d: the split has the impurity %v, the best one %v", rows, labels, weight, bit, got, least)
			}
		}
	}
}

// TestTrees: nodes are in order, leaves are pure or have equal molecules, and limits lie
// between the counts that they separate.
func TestTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	rows, labels := make([][]uint16, 30), make([]float64, 30)
	for i := range rows {
		rows[i], labels[i] = make([]uint16, 50), float64(i%2)
		for range 8 {
			rows[i][r.IntN(50)]++
		}
	}
	rows[4] = rows[7] // with another label
	for k, tree := range grow(sparse(rows), labels, 50, 50, 1, nil) {
		drawn := 0
		for at, n := range tree {
			if n.bit >= 0 && (int(n.right) <= at+1 || int(n.right) >= len(tree)) {
				t.Fatalf("tree %d: node %d goes on at %d of %d", k, at, n.right, len(tree))
			}
		}
		for i, row := range rows {
			switch s := tree.value(row); {
			case s == labels[i]:
				drawn++
			case s > 0 && s < 1 && s != tree.value(rows[4]):
				t.Errorf("tree %d: molecule %d is in a leaf with the share %v", k, i, s)
			}
		}
		// Of 30 molecules 19 are drawn on average, and those are distinguished.
		if drawn < 12 {
			t.Errorf("tree %d has %d of 30 labels right", k, drawn)
		}
	}
}

// TestTries: the only bit that splits is found among many constant bits, which use up the
// √bits tries.
func TestTries(t *testing.T) {
	rows, labels := make([][]uint16, 20), make([]float64, 20)
	for i := range rows {
		rows[i], labels[i] = make([]uint16, 2048), float64(i%2)
		rows[i][77] = uint16(i % 2)
		rows[i][78] = 3
	}
	for k, tree := range grow(sparse(rows), labels, 2048, 20, 1, nil) {
		if tree[0].bit != 77 || tree[0].limit != 1 || len(tree) != 3 {
			t.Errorf("tree %d: %+v, want one split at ½ of bit 77", k, tree)
		}
	}
}

func BenchmarkGrow(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{16, 64, 256} {
		rows, labels := make([][]uint16, n), make([]float64, n)
		for i := range rows {
			rows[i], labels[i] = make([]uint16, 2048), float64(i%2)
			for range 60 {
				rows[i][min(r.IntN(2048), r.IntN(2048), r.IntN(2048))]++
			}
		}
		v := sparse(rows)
		b.Run(map[int]string{16: "16", 64: "64", 256: "256"}[n], func(b *testing.B) {
			for b.Loop() {
				grow(v, labels, 2048, 100, 1, nil)
			}
		})
	}
}
