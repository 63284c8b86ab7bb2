package ops

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// leftCase describes three layers of GIN in training. The last two read only the entries that
// ReLU and dropout of the layer before did not set to 0, modulated or not.
type leftCase struct {
	name         string
	groups       [][]int // atoms of the molecules of each group
	width, inner int
	form         FilmForm
	joint, films bool
}

func leftCases() []leftCase {
	r := newLab(nil, 4, true).r
	large := [][]int{sizes(r, 30), sizes(r, 25), sizes(r, 20), sizes(r, 40)}
	return []leftCase{
		{"small", [][]int{{3, 1, 6, 2}, {5, 4}, {2, 7, 1, 1}, {8}}, 6, 9, FilmAffine, false, true},
		{"joined", [][]int{{3, 1, 6, 2}, {5, 4}, {2, 7, 1, 1}, {8}}, 33, 47, FilmAffine, true, true},
		{"scaled", [][]int{{3, 6}, {9}, {}, {}, {8, 5}, {12}}, 17, 32, FilmScale, true, true},
		{"unit vectors", [][]int{{3, 6}, {9}}, 40, 96, FilmUnit, false, true},
		{"not modulated", [][]int{{3, 1, 6, 2}, {5, 4}, {2, 7, 1, 1}, {8}}, 21, 33, 0, false, false},
		{"many atoms", large, 70, 130, FilmAffine, true, true},
		{"a wide layer", [][]int{{3, 6, 12}, {9, 7}, {4}, {30}}, 330, 45, FilmAffine, true, true},
		{"a width with no whole register", large, 3, 5, FilmAffine, true, true},
	}
}

// run calculates the layers. With hidden, a layer cannot find the layer that made its input.
func (c leftCase) run(hidden bool) calculation {
	return func(l *lab) *ts.Tensor {
		host := molecules(l.r, c.groups)
		v := l.graph(host).Level(0)
		h := l.leaf("h", 0, 1, int64(host.atoms()), int64(c.width))
		m := Mode{Training: true, Dropout: 0.5, Key: 12}
		for i := range uint64(3) {
			layer := l.ginNamed(fmt.Sprintf("layer %d: ", i), c.width, c.inner)
			h = l.must(layer.Layer(h, v, i < 2, m.Site(i)))
			if c.films && i < 2 {
				w, b := c.vectors(l, i)
				h = l.must(FiLM(h, v, w, b, c.form))
			}
			if hidden {
				h = l.must(h.Mul(l.must(h.OnesLike(false)), false))
			}
		}
		return h
	}
}

func (c leftCase) vectors(l *lab, i uint64) (w, b *ts.Tensor) {
	tasks, d := int64(len(c.groups)/2), int64(c.width)
	if c.joint {
		return l.leaf(fmt.Sprintf("modulation %d", i), 0.2, 0.5, tasks, 2*d+1), nil
	}
	return l.leaf(fmt.Sprintf("w %d", i), 0.2, 0.5, tasks, d), l.leaf(fmt.Sprintf("b %d", i), 0, 0.5, tasks, d)
}

// TestGINOnWhatIsLeft compares layers that skip the zeros of ReLU and dropout with layers that
// cannot skip them, and with the plain form.
func TestGINOnWhatIsLeft(t *testing.T) {
	for _, c := range leftCases() {
		run(t, c.name, func(t *testing.T) {
			sameOutcomes(t, 4, c.run(false), by(plain, c.run(false)))
			sameOutcomes(t, 4, c.run(false), c.run(true))
		})
	}
}

// TestGINSeesWhatIsLeft: sums without the zeros are in another order, which distinguishes
// them from sums over all entries.
func TestGINSeesWhatIsLeft(t *testing.T) {
	if !strings.HasPrefix(Products(), "tiles, AVX") {
		t.Skip("products are computed by ", Products())
	}
	locked(t, 2)
	for _, c := range leftCases() {
		seen, hidden := outcomeOf(t, 3, false, c.run(false)), outcomeOf(t, 3, false, c.run(true))
		if slices.Equal(seen.stages["output"], hidden.stages["output"]) && c.width > 5 {
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
	if !strings.HasPrefix(Products(), "tiles") {
		t.Skip("products are computed by ", Products())
	}
	for _, c := range leftCases() {
		t.Run(c.name, func(t *testing.T) {
			var first outcome
			for n := 1; n <= 5; n++ {
				locked(t, n)
				got := outcomeOf(t, 3, false, c.run(false))
				if n == 1 {
					first = got
				}
				for _, name := range first.names {
					if !slices.Equal(got.stages[name], first.stages[name]) {
						t.Errorf("%d threads: %s differs", n, name)
					}
				}
			}
		})
	}
}
