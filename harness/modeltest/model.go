package modeltest

import (
	"cmp"
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/gnn/params"
	"pacia/internal/each"
	"pacia/model"
	"pacia/ops"
)

// Small returns a preset of a method with a narrow encoder of two layers without
// dropout. The method's own settings are those of the preset.
func Small(t testing.TB, s model.Spec, preset string) model.Config {
	t.Helper()
	c := from(model.ForPreset(preset)).or(t)
	c.Method, c.Own = s.Name, s.Settings(preset)
	c.Layers, c.Width, c.Dropout = 2, 6, 0
	return c
}

// SmallWith returns Small of the paper's preset with the method's own settings changed by edit.
func SmallWith[S model.Settings](t testing.TB, s model.Spec, edit func(*S)) model.Config {
	t.Helper()
	c := Small(t, s, model.Paper)
	own := c.Own.(S)
	edit(&own)
	c.Own = own
	return c
}

// New makes a model that is dropped at the end of the test. The default seed is 1, and the
// default device is [Where].
func New(t testing.TB, s model.Spec, c model.Config, o model.Options) *model.Model {
	t.Helper()
	o.Seed, o.Device = cmp.Or(o.Seed, 1), cmp.Or(o.Device, where)
	m := from(model.New(s, c, o)).or(t)
	t.Cleanup(m.Drop)
	return m
}

// Optimiser returns Adam on a model, until the end of the test.
func Optimiser(t testing.TB, m *model.Model) *ops.Adam {
	t.Helper()
	adam := from(ops.NewAdam(params.Tensors(m.Parameters()), ops.AdamOptions{LR: 1e-3, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8, ClipNorm: 1})).or(t)
	t.Cleanup(adam.Drop)
	return adam
}

// Backward computes a step and returns the loss and the gradients by name, nil
// for a parameter without a gradient.
func Backward(t testing.TB, m *model.Model, b *data.Batch, key uint64) (float64, map[string][]float64) {
	t.Helper()
	loss := from(m.Backward(Readable(m, b), key)).or(t)
	grads := each.Pairs(m.Parameters(), func(p model.Parameter) (string, []float64) { return p.Name, from(ops.Gradient(p.Tensor)).or(t) })
	return loss, grads
}

// Adapt adapts to an episode's support, until the end of the test.
func Adapt(t testing.TB, m *model.Model, s *molecule.Store, e data.Episode) *model.Adapted {
	t.Helper()
	a := from(m.Adapt(Readable(m, Support(t, s, e)))).or(t)
	t.Cleanup(a.Drop)
	return a
}

// Scores ranks rows of the store, for the task that the model was adapted to, in
// batches of the given size: P(active) and depth of each.
func Scores(t testing.TB, m *model.Model, a *model.Adapted, s *molecule.Store, rows []int32, size int) (prob []float64, depth []int32) {
	t.Helper()
	for part := range slices.Chunk(rows, size) {
		p, d, err := a.Score(Readable(m, Queries(t, s, part)))
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

// Values returns the values of a parameter, row-major.
func Values(t testing.TB, p model.Parameter) []float64 {
	t.Helper()
	return from(ops.ReadAs[float64](p.Tensor)).or(t)
}

// Everything returns all parameters and running averages of a model, by name.
func Everything(t testing.TB, m *model.Model) map[string][]float64 {
	t.Helper()
	all := map[string][]float64{}
	for _, p := range slices.Concat(m.Parameters(), m.Buffers()) {
		all[p.Name] = Values(t, p)
	}
	return all
}
