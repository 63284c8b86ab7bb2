package minimol

import (
	"fmt"
	"math"
	"testing"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn"
	"pacia/harness/gnntest"
	"pacia/ops"
)

// laid returns an encoder of this package, of width 6.
func laid(t *testing.T, spec gnn.Spec) (*gnntest.Lab, gnn.Encoder) {
	t.Helper()
	l := gnntest.NewLab(t, false)
	e, err := spec.New(l.Set, gnn.Config{Name: spec.Name, Layers: 1, Width: 6})
	if err != nil {
		t.Fatal(err)
	}
	return l, e
}

// TestTrainedGivenInputs: the network with gradients has the vectors of MiniMol's code for the same
// inputs.
func TestTrainedGivenInputs(t *testing.T) {
	l, e := laid(t, Trained)
	defer ops.SetThreads(ops.Threads())
	ops.SetThreads(1) // more threads do not help with one molecule
	seen := 0
	for _, m := range references(t) {
		if m.Inputs == nil {
			continue
		}
		seen++
		b, spectrum := m.given(t)
		atoms := int64(len(b.rowPtr) - 1)
		var s ops.Scope
		in := input{
			atoms:    l.Must(ops.New(b.atoms, []int64{atoms, int64(len(b.atoms)) / atoms}, ops.CPU)),
			spectrum: l.Must(ops.New(spectrum, []int64{atoms, spectrumWidth}, ops.CPU)),
			signed:   true,
		}
		in.rowPtr, in.col, in.code, in.molPtr = place(b.rowPtr, &s), place(b.col, &s), place(b.code, &s), place(b.molPtr, &s)
		z := l.Must(vectorsOf(in, e.(*trained).network, layers))
		s.Drop()
		if requires, err := z.RequiresGrad(); err != nil || !requires {
			t.Fatalf("the vector has no gradient (%v)", err)
		}
		got := gnntest.Read(t, z)
		for i, want := range m.Vector {
			if math.Abs(got[i]-want) > 1e-4 {
				t.Errorf("%s: number %d of the vector is %v, want %v", m.SMILES, i, got[i], want)
				break
			}
		}
	}
	if seen == 0 {
		t.Error("no molecule of the fixture has inputs")
	}
}

// TestTrainedBeginsFrozen: before the first step the trained encoder has the states of the encoder on
// fixed vectors, with and without gradients.
func TestTrainedBeginsFrozen(t *testing.T) {
	smiles := []string{"CC(C)Nc1ncnc2c1sc(C)c2", "[Na+].CC(=O)[O-]", "C", "Oc1ccc(Cl)cc1C(=O)Nc1ccc(cc1Cl)[N+](=O)[O-]"}
	states := func(spec gnn.Spec) (all [2][]float64) {
		l, e := laid(t, spec)
		store, _, errs := spec.Reads.Featurizer(false).ParseSMILES(t.Context(), smiles, 1)
		if store.Len() != len(smiles) {
			t.Fatal(errs)
		}
		h, err := data.AssembleQueries(store, []int32{0, 1, 2, 3})
		if err != nil {
			t.Fatal(err)
		}
		if lack := spec.Reads.Lacks(h); lack != "" {
			t.Fatal(lack)
		}
		g, err := spec.Graph(gnn.Input{Batch: h, Bits: 8, Counts: ops.Counts{Group: []int32{0, 0, 4}}}, ops.CPU)
		if err != nil {
			t.Fatal(err)
		}
		defer g.Drop()
		embed := func() *ts.Tensor { return l.Must(e.Embed(g, ops.Mode{})) }
		all[0] = gnntest.Read(t, embed())
		if err := ops.WithoutGrad(func() error {
			all[1] = gnntest.Read(t, embed())
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	want := states(Spec)[0]
	for i, got := range states(Trained) {
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-4 {
				t.Fatalf("%s: number %d is %v, want %v", []string{"with gradients", "without"}[i], k, got[k], want[k])
			}
		}
	}
}

// BenchmarkTrained times a forward and a backward pass of 20 molecules of 11 to 24 atoms.
func BenchmarkTrained(b *testing.B) {
	smiles := []string{"CC(C)Nc1ncnc2c1sc(C)c2", "Oc1ccc(Cl)cc1C(=O)Nc1ccc(cc1Cl)[N+](=O)[O-]"}
	for range 9 {
		smiles = append(smiles, smiles[:2]...)
	}
	l := gnntest.NewLab(b, false)
	e, err := Trained.New(l.Set, gnn.Config{Name: Trained.Name, Layers: 1, Width: 256})
	if err != nil {
		b.Fatal(err)
	}
	store, _, _ := Trained.Reads.Featurizer(false).ParseSMILES(b.Context(), smiles, 1)
	rows := make([]int32, len(smiles))
	for i := range rows {
		rows[i] = int32(i)
	}
	h, err := data.AssembleQueries(store, rows)
	if err != nil {
		b.Fatal(err)
	}
	for _, gradients := range []bool{false, true} {
		b.Run(fmt.Sprint("gradients ", gradients), func(b *testing.B) {
			for b.Loop() {
				g, err := Trained.Graph(gnn.Input{Batch: h, Bits: 8, Counts: ops.Counts{Group: []int32{0, 0, int32(len(rows))}}}, ops.CPU)
				if err != nil {
					b.Fatal(err)
				}
				run := func() error {
					x, err := e.Embed(g, ops.Mode{})
					if err != nil || !gradients {
						ops.Drop(x)
						return err
					}
					loss := x.MustSum(gotch.Float, true)
					defer ops.Drop(loss)
					return ops.Backward(loss)
				}
				if gradients {
					err = run()
				} else {
					err = ops.WithoutGrad(run)
				}
				if err != nil {
					b.Fatal(err)
				}
				g.Drop()
			}
		})
	}
}
