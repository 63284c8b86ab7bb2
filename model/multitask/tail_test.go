package multitask

import (
	"math"
	"testing"

	"pacia/gnn/params"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// hidden returns settings with a hidden layer before the classifiers, and a slow encoder.
func hidden(t *testing.T) model.Config {
	t.Helper()
	c := modeltest.Small(t, Spec, model.Paper)
	c.Own = Settings{Tail: 4, EncoderRate: 0.25}
	return c
}

// TestTail: with a hidden layer a classifier has one output, and training tasks share the
// layer. A test task adapts all parameters, with its own layer and output.
func TestTail(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(6, 40)
	b := modeltest.Joined(t, store, modeltest.Numbered(modeltest.Task(0, 3, 4), 5), modeltest.Numbered(modeltest.Task(14, 3, 2), 2))
	m := modeltest.New(t, Spec, hidden(t), model.Options{Float64: true, Tasks: []int{2, 5, 6}})
	loss, grads := modeltest.Backward(t, m, b, 3)
	if math.Abs(loss-math.Ln2) > 0.4 {
		t.Errorf("the loss of an untrained model is %v", loss)
	}
	for _, p := range m.Parameters() {
		for _, i := range []int{0, p.Size() / 2} {
			if want := modeltest.SlopeAt(t, m, p, i, b, 3); math.Abs(grads[p.Name][i]-want) > 1e-7 {
				t.Errorf("%s, entry %d: gradient %v, differences give %v", p.Name, i, grads[p.Name][i], want)
			}
		}
	}
	all, encoder := 0, 0
	for _, p := range m.Parameters() {
		if all += p.Size(); p.Part == "encoder" {
			encoder += p.Size()
		}
	}
	const width, layer = 6, 4
	if want := encoder + layer*(width+1) + 3*(layer+1); all != want {
		t.Errorf("%d parameters, want %d", all, want)
	}
	want := encoder + layer*(width+1) + layer + 1
	if m.Adaptive() != want {
		t.Errorf("%d parameters are adapted, want %d", m.Adaptive(), want)
	}
	untrained := modeltest.New(t, Spec, hidden(t), model.Options{})
	if untrained.Adaptive() != want {
		t.Errorf("%d parameters of a model without classifiers are adapted, want %d", untrained.Adaptive(), want)
	}
}

// TestPace: with a quarter of the rate, a step changes the encoder a quarter as much, and the
// rest as much as before.
func TestPace(t *testing.T) {
	store := modeltest.RandomStore(6, 40)
	b := modeltest.Joined(t, store, modeltest.Numbered(modeltest.Task(0, 3, 4), 5))
	modeltest.RunBoth(t, "a step", func(t *testing.T) {
		moved := func(share float64) map[string][]float64 {
			c := hidden(t)
			c.Own = Settings{Tail: 4, EncoderRate: share}
			m := modeltest.New(t, Spec, c, model.Options{Float64: true, Tasks: []int{5}})
			adam, err := ops.NewAdam(params.Tensors(m.Parameters()), ops.AdamOptions{LR: 0.01, ClipNorm: 1})
			if err == nil {
				t.Cleanup(adam.Drop)
				err = m.ParamGroups(adam)
			}
			if err != nil {
				t.Fatal(err)
			}
			before := modeltest.Everything(t, m)
			modeltest.Backward(t, m, b, 3)
			if _, err := adam.Step(); err != nil {
				t.Fatal(err)
			}
			by := map[string][]float64{}
			for _, p := range m.Parameters() {
				after := modeltest.Values(t, p)
				for i := range after {
					after[i] -= before[p.Name][i]
				}
				by[p.Part+" "+p.Name] = after
			}
			return by
		}
		whole, quarter := moved(1), moved(0.25)
		for name, want := range whole {
			share := 1.0
			if len(name) > 7 && name[:7] == "encoder" {
				share = 0.25
			}
			for i := range want {
				want[i] *= share
			}
			modeltest.Near(t, name, quarter[name], want, 1e-14)
		}
	})
}
