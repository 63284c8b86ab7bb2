package ops_test

import (
	"testing"

	"pacia/harness/opstest"
	"pacia/ops"
)

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
