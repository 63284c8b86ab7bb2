package ops_test

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

// pna makes the leaves of a block.
func pna(l *opstest.Lab, towers, tower, p, inner int) *ops.PNA {
	d, H, P := towers*tower, int64(towers), int64(3*p)
	projection := l.Linear("towers", towers*12*p, d, true, 0)
	first, second := l.Linear("1", d, inner, true, 0), l.Linear("2", inner, d, true, 0)
	return &ops.PNA{
		Messages:  l.Leaf("messages.W", 0, 0.5, H, 3, P, int64(2*tower)),
		MessagesB: l.Leaf("messages.b", 0, 0.3, H, 3, P),
		Towers:    projection.W, TowersB: projection.B,
		Alpha: l.Leaf("α", 0.5, 0.1, 1),
		Gamma: l.Leaf("γ", 1, 0.3, int64(d)), Beta: l.Leaf("β", 0, 0.3, int64(d)),
		W1: first.W, B1: first.B, W2: second.W, B2: second.B,
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
	return l.Must(pna(l, c.towers, c.tower, c.p, c.inner).Block(h, g, like, c.mode))
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
			return l.Must(pna(l, 2, d/2, 4, 5).Block(x, g, nil, ops.Mode{}))
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
		spoil func(l *opstest.Lab, p *ops.PNA, h **ts.Tensor)
		words string
	}{
		"atoms":    {func(l *opstest.Lab, _ *ops.PNA, h **ts.Tensor) { *h = l.Leaf("x", 0, 1, 8, 6) }, "h has shape [8, 6], not [9, any]"},
		"width":    {func(l *opstest.Lab, _ *ops.PNA, h **ts.Tensor) { *h = l.Leaf("x", 0, 1, 9, 5) }, "H·e = 5"},
		"messages": {func(_ *opstest.Lab, p *ops.PNA, _ **ts.Tensor) { p.Messages = p.W1 }, "W of the messages has shape [5, 6]"},
		"towers":   {func(_ *opstest.Lab, p *ops.PNA, _ **ts.Tensor) { p.Towers = p.W1 }, "W of the towers has shape [5, 6], not [6, 96]"},
		"alpha":    {func(_ *opstest.Lab, p *ops.PNA, _ **ts.Tensor) { p.Alpha = p.Beta }, "alpha has shape [6], not [1]"},
		"W2":       {func(_ *opstest.Lab, p *ops.PNA, _ **ts.Tensor) { p.W2 = p.W1 }, "W2 has shape [5, 6], not [6, 5]"},
		"types": {func(l *opstest.Lab, p *ops.PNA, _ **ts.Tensor) {
			p.Messages, p.MessagesB = l.Leaf("m", 0, 1, 2, 1, 12, 6), l.Leaf("mb", 0, 1, 2, 1, 12)
		}, "out of range of 0 to 0"},
	} {
		opstest.Run(t, name, func(t *testing.T) {
			l := opstest.New(t, 1, true)
			defer l.Drop()
			g := l.Features(opstest.Molecules(l.Rand, [][]int{{3, 1}, {5}}))
			h, block := l.Leaf("h", 0, 1, 9, 6), pna(l, 2, 3, 4, 5)
			c.spoil(l, block, &h)
			_, err := block.Block(h, g, nil, ops.Mode{})
			opstest.Fails(t, err, "pna block: ", c.words)
		})
	}
}

func TestErrorsOfGraphsOfFeatures(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(h *ops.HostGraph)
		words string
	}{
		"nothing":           {func(h *ops.HostGraph) { *h = ops.HostGraph{RowPtr: []int32{0}} }, "without atoms"},
		"features":          {func(h *ops.HostGraph) { h.Features = h.Features[:5] }, "5 features do not go with 3 atoms"},
		"types":             {func(h *ops.HostGraph) { h.Bond = h.Bond[:2] }, "2 bond categories do not go with 2 bonds"},
		"type":              {func(h *ops.HostGraph) { h.Bond[0] = 6 }, "type 6"},
		"an empty molecule": {func(h *ops.HostGraph) { h.MolPtr = []int32{0, 0, 3} }, "molecule 0 has no atoms"},
		"bond between":      {func(h *ops.HostGraph) { h.MolPtr = []int32{0, 1, 3} }, "molecule 0, atoms 0 to 0, is bonded to atom 1"},
		"offsets":           {func(h *ops.HostGraph) { h.RowPtr = []int32{0, 2, 1, 2} }, "RowPtr does not ascend"},
		"rows of atoms": {func(h *ops.HostGraph) { h.Levels = []ops.HostLevel{{Self: []int32{0}, Row: []int32{0, 0}}} },
			"level 0: 2 rows of atoms for 3 atoms"},
		"row of an atom": {func(h *ops.HostGraph) { h.Levels = []ops.HostLevel{{Self: []int32{0}, Row: []int32{0, 0, 1}}} },
			"level 0: atom 2 has row 1, out of range of 0 to 0"},
		"atom of a row": {func(h *ops.HostGraph) { h.Levels = []ops.HostLevel{{Self: []int32{3}, Row: []int32{0, 0, 0}}} },
			"level 0: row 0 stands for atom 3, out of range of 0 to 2"},
		"row of its atom": {func(h *ops.HostGraph) { h.Levels = []ops.HostLevel{{Self: []int32{0, 1}, Row: []int32{0, 0, 1}}} },
			"level 0: row 1 stands for atom 1, which has row 0"},
		"groups": {func(h *ops.HostGraph) { h.Group = []int32{0, 3} }, "Group has 2 offsets, an even number"},
	} {
		h := ops.HostGraph{Features: make([]float32, 6), MolPtr: []int32{0, 2, 3}}
		if err := h.Join(nil, [][2]int32{{0, 1}}); err != nil {
			t.Fatal(err)
		}
		c.spoil(&h)
		g, err := ops.NewGraph(h, ops.CPU)
		if err == nil {
			g.Drop()
		}
		t.Run(name, func(t *testing.T) { opstest.Fails(t, err, "graph: ", c.words) })
	}
	h := ops.HostGraph{MolPtr: []int32{0, 2}}
	opstest.Fails(t, h.Join([][2]int32{{0, 2}}), "bond 0 of type 0 has atom 2, out of range of 0 to 1")
}
