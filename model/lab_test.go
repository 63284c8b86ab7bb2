package model

import (
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"

	"pacia/data"
	"pacia/ops"
)

// locked keeps the test on one OS thread with n threads of its own.
func locked(t *testing.T, n int) {
	t.Helper()
	runtime.LockOSThread()
	ops.SetThreads(n)
	t.Cleanup(runtime.UnlockOSThread)
}

// emulated makes the test's operations run as kernels: on the device that
// PACIA_TEST_DEVICE names, such as cuda, or else on the emulator.
func emulated(t *testing.T) {
	t.Helper()
	locked(t, 1)
	before := ops.Launches()
	if name := os.Getenv("PACIA_TEST_DEVICE"); name != "" {
		where = name
	} else {
		ops.Emulate(true)
	}
	t.Cleanup(func() {
		where = "cpu"
		ops.Emulate(false)
		if ops.Launches() == before {
			t.Error("no kernel ran")
		}
	})
}

// where is the device of the models that tests make.
var where = "cpu"

// runBoth runs a subtest on the loops for the CPU, and on the kernels for a GPU.
func runBoth(t *testing.T, name string, f func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		locked(t, 2)
		f(t)
	})
	t.Run(name+", kernels", func(t *testing.T) {
		emulated(t)
		f(t)
	})
}

// small is a preset with narrow layers and no dropout.
func small(t *testing.T, preset string) Config {
	t.Helper()
	c, err := ForPreset(preset)
	if err != nil {
		t.Fatal(err)
	}
	c.Layers, c.Width, c.Dropout, c.Hyper.Dropout = 2, 6, 0, 0
	c.Relation.Layers, c.Relation.Width = 3, 5
	return c
}

// newTest makes a model that is dropped at the end.
func newTest(t *testing.T, c Config, float64s bool) *Model {
	t.Helper()
	m, err := newModel(c, 1, where, float64s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Drop)
	return m
}

// randomStore holds n random molecules of 1 to 12 atoms: trees.
func randomStore(seed uint64, n int) *data.Store {
	r := rand.New(rand.NewPCG(seed, 2))
	graphs := make([]data.Graph, n)
	for i := range graphs {
		graphs[i] = tree(r, 1+r.IntN(12))
	}
	return data.NewStore(graphs)
}

func tree(r *rand.Rand, atoms int) data.Graph {
	type end struct {
		atom      uint16
		kind, dir uint8
	}
	ends := make([][]end, atoms)
	for a := 1; a < atoms; a++ {
		b, kind, dir := r.IntN(a), uint8(r.IntN(4)), uint8(r.IntN(3))
		ends[a], ends[b] = append(ends[a], end{uint16(b), kind, dir}), append(ends[b], end{uint16(a), kind, dir})
	}
	g := data.Graph{RowPtr: []int32{0}}
	for _, es := range ends {
		g.Atoms = append(g.Atoms, uint8(r.IntN(118)), uint8(r.IntN(4)))
		for _, e := range es {
			g.Col, g.Bond = append(g.Col, e.atom), append(g.Bond, e.kind, e.dir)
		}
		g.RowPtr = append(g.RowPtr, int32(len(g.Col)))
	}
	return g
}

// task is an episode of shots molecules of each class and queries of both,
// rows of a store from first on.
func task(first, shots, queries int) data.Episode {
	e := data.Episode{Shots: shots}
	row := int32(first)
	for i := range 2 * shots {
		e.Support, e.SupportLabels = append(e.Support, row), append(e.SupportLabels, uint8(i/shots))
		row++
	}
	for i := range queries {
		e.Query, e.QueryLabels = append(e.Query, row), append(e.QueryLabels, uint8(i%2))
		row++
	}
	return e
}

func joined(t *testing.T, s *data.Store, eps ...data.Episode) *data.Batch {
	t.Helper()
	b, err := data.Assemble(s, eps)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// backward makes a step and returns the loss and the gradients by name, nil
// where there is none.
func backward(t *testing.T, m *Model, b *data.Batch, key uint64) (float64, map[string][]float64) {
	t.Helper()
	loss, err := m.Backward(readable(m, b), key)
	if err != nil {
		t.Fatal(err)
	}
	grads := map[string][]float64{}
	for _, p := range m.Parameters() {
		if grads[p.Name], err = ops.Gradient(p.Tensor); err != nil {
			t.Fatal(err)
		}
	}
	return loss, grads
}

// adapted adapts to an episode's support, until the end of the test.
func adapted(t *testing.T, m *Model, s *data.Store, e data.Episode) *Adapted {
	t.Helper()
	b, err := data.AssembleSupport(s, e)
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.Adapt(readable(m, b))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Drop)
	return a
}

// scores ranks rows of the store in batches of the given size.
func scores(t *testing.T, m *Model, a *Adapted, s *data.Store, rows []int32, size int) (prob []float64, depth []int32) {
	t.Helper()
	for part := range slices.Chunk(rows, size) {
		q, err := data.AssembleQueries(s, part)
		if err != nil {
			t.Fatal(err)
		}
		p, d, err := m.Score(a, readable(m, q))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range p {
			prob = append(prob, float64(v))
		}
		depth = append(depth, d...)
	}
	return prob, depth
}
