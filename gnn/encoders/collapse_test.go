package encoders_test

import (
	"math"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/gnn/encoders"
	"pacia/gnn/params"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/pacia"
	"pacia/ops"
)

// TestPACIATellsMoleculesApart: PACIA learns one small episode by heart with every encoder. With vectors that hardly
// differ all gradients are right, but after hundreds of steps all molecules have the same P(active).
func TestPACIATellsMoleculesApart(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, spec := range encoders.All {
		t.Run(spec.Name, func(t *testing.T) {
			if spread := learntSpread(t, spec); spread < apart {
				t.Errorf("P(active) of molecules differs by %.2g, less than %g: their vectors differ too little for PACIA. "+
					"A norm in each layer, or other initial values, may help", spread, apart)
			}
		})
	}
	t.Run("an encoder that collapses", func(t *testing.T) {
		defer func(all []gnn.Spec) { encoders.All = all }(encoders.All)
		flat := gnn.Spec{Name: "flat", Source: "this test", Reads: gnn.Categories, New: newFlat}
		encoders.All = append(encoders.All[:len(encoders.All):len(encoders.All)], flat)
		if spread := learntSpread(t, flat); spread >= apart {
			t.Errorf("P(active) of molecules differs by %.2g with an encoder whose vectors hardly differ", spread)
		}
	})
}

// apart is the standard deviation of P(active) among molecules from which on a model tells them apart.
const apart = 0.01

// learntSpread returns the standard deviation of P(active) of the episode's queries after some steps.
func learntSpread(t *testing.T, spec gnn.Spec) float64 {
	t.Helper()
	modeltest.Locked(t, 1)
	c := modeltest.SmallWith(t, pacia.Spec, func(s *pacia.Settings) { s.Relation.Layers, s.Relation.Width = 1, 16 })
	c.Encoder, c.Width = spec.Name, width
	if spec.Heads > 0 {
		c.Heads = 2
	}
	m := modeltest.New(t, pacia.Spec, c, model.Options{})
	adam, err := ops.NewAdam(params.Tensors(m.Parameters()), ops.AdamOptions{LR: 0.003, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8, ClipNorm: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer adam.Drop()
	store, episode := modeltest.RandomStore(4, 16), modeltest.Task(0, 3, 10)
	batch := modeltest.Readable(m, modeltest.Joined(t, store, episode))
	const learning = 50
	for range learning {
		if _, err = m.Backward(batch, 1); err == nil {
			_, err = adam.Step()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	p, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, episode), store, episode.Query, len(episode.Query))
	var sum, squares float64
	for _, v := range p {
		sum, squares = sum+v, squares+v*v
	}
	n := float64(len(p))
	spread := math.Sqrt(max(0, squares/n-sum*sum/(n*n)))
	t.Logf("standard deviation of P(active): %.3g", spread)
	return spread
}

// flat is an encoder whose vectors differ by a millionth.
type flat struct{ gnn.Encoder }

func newFlat(p *params.Set, c gnn.Config) (gnn.Encoder, error) {
	c.Name = "gin"
	e, err := encoders.New(p, c)
	return flat{e}, err
}

func (f flat) Layer(l int, h *ts.Tensor, g *ops.Graph, m ops.Mode, s *gnn.Stats) (*ts.Tensor, error) {
	h, err := f.Encoder.Layer(l, h, g, m, s)
	return flattened(h, err)
}

func (f flat) Support(l int, h *ts.Tensor, g *ops.Graph) (*ts.Tensor, *gnn.Stats, error) {
	h, s, err := f.Encoder.Support(l, h, g)
	if h, err = flattened(h, err); err != nil {
		s.Drop()
		s = nil
	}
	return h, s, err
}

// flattened multiplies a tensor by a millionth. The tensor is dropped.
func flattened(h *ts.Tensor, err error) (*ts.Tensor, error) {
	if err != nil {
		return nil, err
	}
	return h.MulScalar(ts.FloatScalar(1e-6), true)
}
