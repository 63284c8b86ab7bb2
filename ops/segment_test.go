package ops_test

import (
	"fmt"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
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
		r := opstest.New(nil, seed, true).Rand
		c := segmentCase{name: fmt.Sprintf("random shape %d", seed), atoms: opstest.Sizes(r, 1+r.IntN(60)), width: 1 + r.IntN(130)}
		for range 1 + r.IntN(80) {
			c.which = append(c.which, int32(r.IntN(len(c.atoms))))
		}
		cases = append(cases, c)
	}
	return cases
}

func (c segmentCase) run(l *opstest.Lab) *ts.Tensor {
	host := opstest.Molecules(l.Rand, [][]int{c.atoms, {}})
	g := l.Graph(host)
	h := l.Leaf("h", 0, 1, int64(opstest.Atoms(&host)), int64(c.width))
	return l.Must(ops.Named("segment mean").One(ops.Args{In: []*ts.Tensor{h, g.Molecules(), l.Ints(c.which...)}}))
}

func TestSegmentMean(t *testing.T) {
	for i, c := range segmentCases() {
		opstest.RunBoth(t, c.name, func(t *testing.T) {
			seed := uint64(i)
			opstest.CheckAgainst(t, seed, c.run, c.byHand)
		})
	}
}

func (c segmentCase) byHand(l *opstest.Lab) (means []float64) {
	first := make([]int, len(c.atoms)+1)
	for i, n := range c.atoms {
		first[i+1] = first[i] + n
	}
	h := opstest.Rows(l.Values["h"], c.width)
	for _, m := range c.which {
		rows := h[first[m]:first[m+1]]
		means = append(means, opstest.Times(1/float64(len(rows)), opstest.Sum(rows[0], rows[1:]...))...)
	}
	return means
}

// embeddedHost returns a graph with one atom of a chirality beyond the table.
func embeddedHost(l *opstest.Lab) ops.HostGraph {
	host := opstest.Molecules(l.Rand, [][]int{{4, 1, 5}, {3}})
	host.Atoms[3] = 3
	return host
}

const embeddedWidth = 7

func embedded(l *opstest.Lab) *ts.Tensor {
	g := l.Graph(embeddedHost(l))
	return l.Must(ops.Embed(g, l.Leaf("atomic number", 0, 1, 120, embeddedWidth), l.Leaf("chirality", 0, 1, 3, embeddedWidth)))
}

// TestEmbed compares h⁰ with sums of table rows. A chirality beyond the table is
// unspecified.
func TestEmbed(t *testing.T) {
	opstest.RunBoth(t, "tables", func(t *testing.T) {
		opstest.CheckAgainst(t, 1, embedded, func(l *opstest.Lab) (h []float64) {
			number, chirality := opstest.Rows(l.Values["atomic number"], embeddedWidth), opstest.Rows(l.Values["chirality"], embeddedWidth)
			host := embeddedHost(opstest.New(nil, 1, true))
			host.Atoms[3] = 0
			for v := range opstest.Atoms(&host) {
				h = append(h, opstest.Sum(number[host.Atoms[2*v]], chirality[host.Atoms[2*v+1]])...)
			}
			return h
		})
	})
}
