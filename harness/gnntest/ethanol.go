package gnntest

import (
	"runtime"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/ops"
)

// Ethanol is C-C-O twice: support and query of one task.
var Ethanol = ops.HostGraph{
	Atoms:  []uint8{5, 0, 5, 0, 7, 0, 5, 0, 5, 0, 7, 0},
	RowPtr: []int32{0, 1, 3, 4, 5, 7, 8},
	Col:    []int32{1, 0, 2, 1, 4, 3, 5, 4},
	Bond:   make([]uint8, 16),
	MolPtr: []int32{0, 3, 6},
	Group:  []int32{0, 3, 6},
}

// New lays out an encoder, as that of [gnn.Spec].
type New = func(*params.Set, gnn.Config) (gnn.Encoder, error)

// Laid makes an encoder and ethanol's graph, both dropped at the end.
func Laid(t *testing.T, lay New, c gnn.Config) (*params.Set, gnn.Encoder, *ops.Graph) {
	t.Helper()
	runtime.LockOSThread()
	s := &params.Set{Device: ops.CPU, Seed: 1}
	e, err := lay(s, c)
	if err != nil {
		t.Fatal(err)
	}
	g, err := ops.NewGraph(Ethanol, ops.CPU)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Drop(); s.Drop(); runtime.UnlockOSThread() })
	return s, e, g
}

// States runs all layers and returns what each gives.
func States(t *testing.T, e gnn.Encoder, g *ops.Graph, m ops.Mode) (all [][]float64) {
	t.Helper()
	keep := func(x *ts.Tensor, err error) *ts.Tensor {
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ops.Drop(x) })
		all = append(all, Read(t, x))
		return x
	}
	h := keep(e.Embed(g, ops.Mode{}))
	for l := range e.Layers() {
		h = keep(e.Layer(l, h, g, m.Site(uint64(l)), nil))
	}
	return all
}
