package roofline_test

import (
	"testing"

	"pacia/bench/roofline"
	"pacia/model"
	"pacia/model/methods"
	"pacia/model/modeltest"
	"pacia/ops"
)

// TestLaunchesAreThoseOfAStep: a step on the emulator starts as many kernels as the model
// of its cost lists. Products are cuBLAS's, which it does not see.
func TestLaunchesAreThoseOfAStep(t *testing.T) {
	spec, err := methods.Find(methods.Default)
	if err != nil {
		t.Fatal(err)
	}
	c := modeltest.Small(t, spec, model.Reference)
	c.Dropout = 0.5
	modeltest.Emulated(t)
	m := modeltest.New(t, spec, c, model.Options{})
	s, err := m.NewStepper(modeltest.Optimiser(t, m))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := modeltest.StepperBatches(t)[0]
	step := func() {
		t.Helper()
		if err := s.Submit(b, 1); err != nil {
			t.Fatal(err)
		}
	}
	step()
	before := ops.Launches()
	step()
	got := ops.Launches() - before
	want := 0
	for _, l := range roofline.Step(roofline.Sizes{
		Atoms: len(b.RowPtr) - 1, Bonds: len(b.Col), Tasks: b.Tasks, Support: b.Support, Queries: len(b.QueryMol),
		Layers: 2, Width: 6, RelationLayers: 5, NodeWidth: 128, Hidden: 256, SingleNode: true,
		Film:  roofline.Hyper{Networks: 2, Last: []int{12, 6, 6, 6}},
		Depth: roofline.Hyper{Networks: 1, Means: true, Last: []int{256, 256, 256, 1}},
	}) {
		if !l.Product {
			want += l.Launches
		}
	}
	if got != int64(want) {
		t.Errorf("a step starts %d kernels, the model of its cost lists %d", got, want)
	}
}
