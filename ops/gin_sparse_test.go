package ops_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// leftCase describes three layers of GIN in training. The last two read only the entries that
// ReLU and dropout of the layer before did not set to 0, modulated or not.
type leftCase struct {
	name         string
	groups       [][]int // atoms of the molecules of each group
	width, inner int
	form         ops.FilmForm
	joint, films bool
}

func leftCases() []leftCase {
	r := opstest.New(nil, 4, true).Rand
	large := [][]int{opstest.Sizes(r, 30), opstest.Sizes(r, 25), opstest.Sizes(r, 20), opstest.Sizes(r, 40)}
	return []leftCase{
		{"small", [][]int{{3, 1, 6, 2}, {5, 4}, {2, 7, 1, 1}, {8}}, 6, 9, ops.FilmAffine, false, true},
		{"joined", [][]int{{3, 1, 6, 2}, {5, 4}, {2, 7, 1, 1}, {8}}, 33, 47, ops.FilmAffine, true, true},
		{"scaled", [][]int{{3, 6}, {9}, {}, {}, {8, 5}, {12}}, 17, 32, ops.FilmScale, true, true},
		{"unit vectors", [][]int{{3, 6}, {9}}, 40, 96, ops.FilmUnit, false, true},
		{"not modulated", [][]int{{3, 1, 6, 2}, {5, 4}, {2, 7, 1, 1}, {8}}, 21, 33, 0, false, false},
		{"many atoms", large, 70, 130, ops.FilmAffine, true, true},
		{"a wide layer", [][]int{{3, 6, 12}, {9, 7}, {4}, {30}}, 330, 45, ops.FilmAffine, true, true},
		{"a width with no whole register", large, 3, 5, ops.FilmAffine, true, true},
	}
}

// run calculates the layers. With hidden, a layer cannot find the layer that made its input.
func (c leftCase) run(hidden bool) opstest.Calculation {
	return func(l *opstest.Lab) *ts.Tensor {
		host := opstest.Molecules(l.Rand, c.groups)
		v := l.Graph(host).Level(0)
		h := l.Leaf("h", 0, 1, int64(opstest.Atoms(&host)), int64(c.width))
		m := ops.Mode{Training: true, Dropout: 0.5, Key: 12}
		for i := range uint64(3) {
			layer := ginNamed(l, fmt.Sprintf("layer %d: ", i), c.width, c.inner)
			h = l.Must(layer.Layer(h, v, i < 2, m.Site(i)))
			if c.films && i < 2 {
				w, b := c.vectors(l, i)
				h = l.Must(ops.FiLM(h, v, w, b, c.form))
			}
			if hidden {
				h = l.Must(h.Mul(l.Must(h.OnesLike(false)), false))
			}
		}
		return h
	}
}

func (c leftCase) vectors(l *opstest.Lab, i uint64) (w, b *ts.Tensor) {
	tasks, d := int64(len(c.groups)/2), int64(c.width)
	if c.joint {
		return l.Leaf(fmt.Sprintf("modulation %d", i), 0.2, 0.5, tasks, 2*d+1), nil
	}
	return l.Leaf(fmt.Sprintf("w %d", i), 0.2, 0.5, tasks, d), l.Leaf(fmt.Sprintf("b %d", i), 0, 0.5, tasks, d)
}

// TestGINOnWhatIsLeft compares layers that skip the zeros of ReLU and dropout with layers that
// cannot skip them, and with the plain form.
func TestGINOnWhatIsLeft(t *testing.T) {
	for _, c := range leftCases() {
		opstest.Run(t, c.name, func(t *testing.T) {
			opstest.SameOutcomes(t, 4, c.run(false), opstest.By(ops.Plain, c.run(false)))
			opstest.SameOutcomes(t, 4, c.run(false), c.run(true))
		})
	}
}

// TestGINSeesWhatIsLeft: sums without the zeros are in another order, which distinguishes
// them from sums over all entries.
func TestGINSeesWhatIsLeft(t *testing.T) {
	if !strings.HasPrefix(ops.Products(), "tiles, AVX") {
		t.Skip("products are computed by ", ops.Products())
	}
	opstest.Locked(t, 2)
	for _, c := range leftCases() {
		seen, hidden := opstest.Computed(t, 3, false, c.run(false)), opstest.Computed(t, 3, false, c.run(true))
		if slices.Equal(seen.Stages["output"], hidden.Stages["output"]) && c.width > 5 {
			t.Errorf("%s: the layers do not skip zeros", c.name)
		}
	}
}

// TestGINOnWhatIsLeftAndThreads: results are equal bit for bit on any number of threads,
// unless a library computes the products.
func TestGINOnWhatIsLeftAndThreads(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	if !strings.HasPrefix(ops.Products(), "tiles") {
		t.Skip("products are computed by ", ops.Products())
	}
	for _, c := range leftCases() {
		t.Run(c.name, func(t *testing.T) {
			var first opstest.Outcome
			for n := 1; n <= 5; n++ {
				opstest.Locked(t, n)
				got := opstest.Computed(t, 3, false, c.run(false))
				if n == 1 {
					first = got
				}
				for _, name := range first.Names {
					if !slices.Equal(got.Stages[name], first.Stages[name]) {
						t.Errorf("%d threads: %s differs", n, name)
					}
				}
			}
		})
	}
}
