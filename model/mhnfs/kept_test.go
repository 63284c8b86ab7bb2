package mhnfs

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// TestContextIsKept: the buffers hold distinct molecules of the training tasks, as in the data
// set, and different ones for another seed. A model with the buffers of another one has the same
// scores, without a data set.
func TestContextIsKept(t *testing.T) {
	everyNetwork(t, func(s *Settings) { s.Context.Molecules = 7 }, func(t *testing.T, c model.Config) {
		m := shown(t, c, model.Options{})
		kept := m.Method().(*mhnfs).context.kept
		store := molecules(t, m)
		rows := drawn(&data.Dataset{Tasks: []data.Task{{Rows: []int32{0, 1, 2, 3, 4, 5}}, {Rows: []int32{4, 5, 6, 7, 11}}}}, []int{0, 1}, 7, 1)
		if len(rows) != 7 || !slices.IsSorted(rows) || len(slices.Compact(slices.Clone(rows))) != 7 || slices.Contains(rows, 8) {
			t.Errorf("molecules %d were drawn; want 7 of the training tasks", rows)
		}
		want, err := data.AssembleSupport(store, data.Episode{Support: rows, SupportLabels: make([]uint8, 7)})
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Method().(*mhnfs).context.read(m.Method().(*mhnfs).Reads().Fields())
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, want)

		other := modeltest.New(t, Spec, c, model.Options{})
		shapes := map[string][]int64{}
		for name, x := range kept {
			shapes[name], err = x.Size()
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := other.Room(shapes); err != nil {
			t.Fatal(err)
		}
		all := map[string][]float64{}
		for _, p := range m.Buffers() {
			all[p.Name] = modeltest.Values(t, p)
		}
		for _, p := range other.Buffers() {
			if err := ops.Write(p.Tensor, all[p.Name]); err != nil {
				t.Fatal(err)
			}
		}
		task, queries := modeltest.RandomStore(5, 30), []int32{20, 21, 22}
		scores := func(m *model.Model) []float64 {
			p, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, task, modeltest.Task(0, 3, 0)), task, queries, 3)
			return p
		}
		if a, b := scores(m), scores(other); !slices.Equal(a, b) {
			t.Errorf("the scores are %v, and from what was kept %v", a, b)
		}
		if a, b := scores(m), scores(modeltest.New(t, Spec, c, model.Options{})); slices.Equal(a, b) {
			t.Error("the context changes nothing")
		}
	})
}

// TestContextIsEncodedAgain: the context is encoded again if and only if a number of the model has
// changed. Existing tasks keep their encoding.
func TestContextIsEncodedAgain(t *testing.T) {
	modeltest.Locked(t, 1)
	m := shown(t, modeltest.SmallWith(t, Spec, func(s *Settings) { s.Context.Molecules = 7 }), model.Options{})
	store, queries := modeltest.RandomStore(5, 30), []int32{20, 21, 22}
	scores := func(a *model.Adapted) []float64 {
		p, _ := modeltest.Scores(t, m, a, store, queries, 3)
		return p
	}
	adapted := func() *model.Adapted { return modeltest.Adapt(t, m, store, modeltest.Task(0, 3, 0)) }
	first := adapted()
	before, last := scores(first), m.Method().(*mhnfs).stored.last
	if adapted(); m.Method().(*mhnfs).stored.last != last || last.users != 3 {
		t.Errorf("a model and two tasks have %d uses of one context", last.users)
	}
	for _, p := range m.Parameters() {
		if p.Name != "context.value.weight" {
			continue
		}
		v := modeltest.Values(t, p)
		for i := range v {
			v[i] = -v[i]
		}
		if err := ops.Write(p.Tensor, v); err != nil {
			t.Fatal(err)
		}
	}
	if after := scores(adapted()); slices.Equal(before, after) {
		t.Error("the context is that of other parameters")
	}
	if again := scores(first); !slices.Equal(before, again) {
		t.Errorf("an existing task scores %v, and before %v", again, before)
	}
}

// same compares the inputs of encoders.
func same(t *testing.T, got, want *data.Batch) {
	t.Helper()
	equal := func(what string, ok bool) {
		t.Helper()
		if !ok {
			t.Errorf("the kept molecules have other %s", what)
		}
	}
	equal("atoms", slices.Equal(got.Atoms, want.Atoms) && slices.Equal(got.Floats(molecule.Features), want.Floats(molecule.Features)))
	equal("edges", slices.Equal(got.RowPtr, want.RowPtr) && slices.Equal(got.Col, want.Col) && slices.Equal(got.Bond, want.Bond))
	equal("offsets", slices.Equal(got.MolPtr, want.MolPtr) && slices.Equal(got.GroupPtr, want.GroupPtr) && slices.Equal(got.SupportMol, want.SupportMol))
	equal("places", slices.Equal(got.Floats(molecule.Places), want.Floats(molecule.Places)))
	equal("embeddings", slices.Equal(got.Floats(molecule.Embeddings), want.Floats(molecule.Embeddings)))
	f, g := got.Fingerprints, want.Fingerprints
	equal("fingerprints", slices.Equal(f.Ptr, g.Ptr) && slices.Equal(f.Bit, g.Bit) && slices.Equal(f.Count, g.Count))
	equal("descriptors", slices.EqualFunc(got.Floats(molecule.Descriptors), want.Floats(molecule.Descriptors), func(a, b float32) bool {
		return a == b || !isFinite(float64(a)) && !isFinite(float64(b))
	}))
}

// TestUndefined: descriptors that are not finite are restored as such.
func TestUndefined(t *testing.T) {
	b := &data.Batch{Inputs: molecule.Inputs{MolPtr: []int32{0, 0}, RowPtr: []int32{0}}, GroupPtr: []int32{0, 0, 0}, SupportMol: []int32{0}}
	descriptors := make([]float32, molecule.DescriptorCount)
	descriptors[2], descriptors[5], descriptors[6] = 1.5, float32(math.NaN()), float32(math.Inf(1))
	b.SetFloats(molecule.Descriptors, 1, descriptors)
	values := packed(b)
	if v := values[prefix+"descriptors"]; slices.ContainsFunc(v, func(x float64) bool { return !isFinite(x) }) {
		t.Errorf("a buffer is not finite: %v", v)
	}
	got, err := unpacked(values, []molecule.Field{molecule.Descriptors})
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, b)
}

// TestDamaged: buffers that no batch can have are refused.
func TestDamaged(t *testing.T) {
	b, err := data.AssembleSupport(modeltest.RandomStore(9, 12), data.Episode{Support: []int32{0, 1, 2}, SupportLabels: make([]uint8, 3)})
	if err != nil {
		t.Fatal(err)
	}
	// The buffer that the error names in place of the damaged one.
	named := map[string]string{atomsName: degreesName, degreesName: neighboursName, countsName: bitsName}
	for name, edit := range map[string]func([]float64) []float64{
		atomsName:      func(v []float64) []float64 { v[0]++; return v },
		degreesName:    func(v []float64) []float64 { v[0]++; return v },
		neighboursName: func(v []float64) []float64 { v[0] = -1; return v },
		bondsName:      func(v []float64) []float64 { v[0] = 0.5; return v },
		categoriesName: func(v []float64) []float64 { return v[1:] },
		bitsName:       func(v []float64) []float64 { v[0] = molecule.FingerprintLength; return v },
		numbersName:    func(v []float64) []float64 { return v[1:] },
		countsName:     func(v []float64) []float64 { v[0] = 1e9; return v },
	} {
		values := packed(b)
		values[name] = edit(values[name])
		_, err := unpacked(values, nil)
		modeltest.Fails(t, err, cmp.Or(named[name], name))
	}
}
