package ops_test

import (
	"fmt"
	"slices"
	"testing"

	"pacia/harness/opstest"
	"pacia/ops"
)

// TestRelationTies repeats one molecule in the support, like an episode with a class
// smaller than K. Which of several equal similarities are kept does not matter, as long
// as their number is right.
func TestRelationTies(t *testing.T) {
	c := relationCase{"", []int{3}, 6, 2, 4, [2]int{6, 5}, false, []int{4}, true, 0}
	opstest.RunBoth(t, "one molecule", c.ties)
}

func (c relationCase) ties(t *testing.T) {
	for name, p := range map[string]ops.Form{"fastest": ops.Fastest, "plain": ops.Plain} {
		l := opstest.New(t, 3, true)
		l.Edit = func(name string, v []float64) {
			if name == "support" {
				copy(v, slices.Repeat(v[:c.d], c.n))
			}
		}
		got := l.Read(opstest.By(p, c.run)(l))
		for r, row := range opstest.Rows(l.Read(l.Extra["adjacency"]), c.n+1) {
			kept := slices.DeleteFunc(slices.Clone(row), func(a float64) bool { return a == 0 })
			if len(kept) != c.k {
				t.Errorf("%s: row %d keeps %d entries, want %d", name, r, len(kept), c.k)
			}
		}
		// By hand all equal ones are kept: the mean of equal nodes is the same.
		want, _ := c.byHand(l)
		opstest.Near(t, name+": nodes", got, want, 1e-11)
		l.Drop()
	}
}

// TestRelationTiesInOrder: of equal similarities the loops and the kernels keep those of the
// first nodes. The molecules are of two kinds, far apart, and the pair network gives exactly
// sigmoid(64) = 1 to molecules of one kind, and sigmoid(0) = ½ to others.
func TestRelationTiesInOrder(t *testing.T) {
	for k := 1; k <= 7; k++ {
		c := relationCase{"", []int{2, 1}, 7, k, 3, [2]int{2, 1}, false, []int{3}, k%2 == 0, 0}
		opstest.RunBoth(t, fmt.Sprintf("K = %d of 7", k), func(t *testing.T) {
			for _, p := range opstest.Precisions {
				l := opstest.New(t, 1, p.Double)
				l.Edit = c.kinds
				c.run(l)
				opstest.Near(t, p.Name, l.Read(l.Extra["adjacency"]), c.firstOfEquals(), 0)
				l.Drop()
			}
		})
	}
}

// kind returns the kind of row r of a test's starting nodes: the support of all tasks
// and the queries, or the nodes of all graphs.
func kind(r int) int { return r * r / 3 % 2 }

func (c relationCase) kinds(name string, v []float64) {
	switch name {
	case "support", "query", "graphs":
		first := 0
		if name == "query" {
			first = len(c.queries) * c.n
		}
		for i := range v {
			v[i] = 1000 * float64(kind(first+i/c.d))
		}
	case "pair.0.W": // the second unit is 0
		copy(v, []float64{64, 0, 0, 0, 0, 0})
	case "pair.1.W", "pair.2.W":
		for i := range v {
			v[i] = 1
		}
	case "pair.2.b":
		v[0] = 0
	}
}

func (c relationCase) firstOfEquals() (adjacency []float64) {
	q := 0
	for task, queries := range c.queries {
		for range queries {
			kinds := make([]int, c.n+1)
			for i := range kinds {
				switch {
				case !c.shared:
					kinds[i] = kind(q*(c.n+1) + i)
				case i < c.n:
					kinds[i] = kind(task*c.n + i)
				default:
					kinds[i] = kind(len(c.queries)*c.n + q)
				}
			}
			for i := range kinds {
				row, left := make([]float64, c.n+1), c.k
				for _, a := range []float64{1, 0.5} {
					for j := range kinds {
						if j != i && (kinds[i] == kinds[j]) == (a == 1) && left > 0 {
							row[j] = a
							left--
						}
					}
				}
				adjacency = append(adjacency, row...)
			}
			q++
		}
	}
	return adjacency
}
