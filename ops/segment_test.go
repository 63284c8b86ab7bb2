package ops

import (
	"fmt"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// segmentCase describes a batch and the molecules which, whose means are computed.
type segmentCase struct {
	name  string
	atoms []int
	width int
	which []int32
}

func segmentCases() []segmentCase {
	cases := []segmentCase{
		{"all", []int{3, 1, 4}, 5, []int32{0, 1, 2}},
		{"some, out of order", []int{3, 1, 4, 2}, 5, []int32{3, 1}},
		{"repeated", []int{3, 1, 4}, 5, []int32{2, 0, 2, 2}},
		{"one atom", []int{1}, 1, []int32{0}},
	}
	for seed := range uint64(4) {
		r := newLab(nil, seed, true).r
		c := segmentCase{name: fmt.Sprintf("random shape %d", seed), atoms: sizes(r, 1+r.IntN(60)), width: 1 + r.IntN(130)}
		for range 1 + r.IntN(80) {
			c.which = append(c.which, int32(r.IntN(len(c.atoms))))
		}
		cases = append(cases, c)
	}
	return cases
}

func (c segmentCase) run(l *lab) *ts.Tensor {
	host := molecules(l.r, [][]int{c.atoms, {}})
	g := l.graph(host)
	h := l.leaf("h", 0, 1, int64(host.atoms()), int64(c.width))
	return l.must(segmentMeanOp.one(args{in: []*ts.Tensor{h, g.mol, l.ints(c.which...)}}))
}

func TestSegmentMean(t *testing.T) {
	for i, c := range segmentCases() {
		runBoth(t, c.name, func(t *testing.T) {
			seed := uint64(i)
			checkAgainst(t, seed, c.run, c.byHand)
		})
	}
}

func (c segmentCase) byHand(l *lab) (means []float64) {
	first := make([]int, len(c.atoms)+1)
	for i, n := range c.atoms {
		first[i+1] = first[i] + n
	}
	h := matrixOf(l.values["h"], c.width)
	for _, m := range c.which {
		rows := h[first[m]:first[m+1]]
		means = append(means, times(1/float64(len(rows)), sum(rows[0], rows[1:]...))...)
	}
	return means
}

// embeddedHost returns a graph with one atom of a chirality beyond the table.
func embeddedHost(l *lab) HostGraph {
	host := molecules(l.r, [][]int{{4, 1, 5}, {3}})
	host.Atoms[3] = 3
	return host
}

const embeddedWidth = 7

func embedded(l *lab) *ts.Tensor {
	g := l.graph(embeddedHost(l))
	return l.must(Embed(g, l.leaf("atomic number", 0, 1, 120, embeddedWidth), l.leaf("chirality", 0, 1, 3, embeddedWidth)))
}

// TestEmbed compares h⁰ with sums of table rows. A chirality beyond the table is
// unspecified.
func TestEmbed(t *testing.T) {
	runBoth(t, "tables", func(t *testing.T) {
		checkAgainst(t, 1, embedded, func(l *lab) (h []float64) {
			number, chirality := matrixOf(l.values["atomic number"], embeddedWidth), matrixOf(l.values["chirality"], embeddedWidth)
			host := embeddedHost(newLab(nil, 1, true))
			host.Atoms[3] = 0
			for v := range host.atoms() {
				h = append(h, sum(number[host.Atoms[2*v]], chirality[host.Atoms[2*v+1]])...)
			}
			return h
		})
	})
}
