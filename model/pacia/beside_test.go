package pacia

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
)

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// TestBeside: before the first step the logits of a query are those of class means and of the Tanimoto coefficients,
// added up. The coefficients are computed from all counts.
func TestBeside(t *testing.T) {
	modeltest.Locked(t, 1)
	store, support, rows := modeltest.RandomStore(6, 40), modeltest.Task(0, 3, 0), []int32{10, 11, 12, 13, 3}
	var m *model.Model
	logits := func(edit func(*Settings)) (all []float64) {
		c := modeltest.SmallWith(t, Spec, func(s *Settings) {
			s.Hyper.Start, s.Hyper.Dropout = "zero", 0
			edit(s)
		})
		c.Encoder = "fingerprint"
		m = modeltest.New(t, Spec, c, model.Options{Seed: 3, Float64: true})
		prob, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, support), store, rows, 4)
		for _, p := range prob {
			all = append(all, logit(p))
		}
		return all
	}
	means := logits(func(s *Settings) { s.Head, s.Adapt.Predictor = "means", "none" })
	both := logits(func(s *Settings) { s.Beside = "means" })
	three := logits(func(s *Settings) { s.Beside = besideTanimoto })
	expected := logits(func(s *Settings) { s.Beside = besideExpected })
	modeltest.Near(t, "beside what is expected in any task: nothing at first", expected, both, 1e-6)
	s, q := modeltest.Readable(m, modeltest.Support(t, store, support)), modeltest.Readable(m, modeltest.Queries(t, store, rows))
	dense := func(bits, counts []uint16) (v [2048]float64) {
		for i, b := range bits {
			v[b] = float64(counts[i])
		}
		return v
	}
	for i := range rows {
		x := dense(q.Fingerprints.At(int(q.QueryMol[i])))
		var mean, members [2]float64
		for k, molecule := range s.SupportMol {
			y, label := dense(s.Fingerprints.At(int(molecule))), s.SupportLabel[k]
			common, all := 0.0, 0.0
			for b := range x {
				common, all = common+min(x[b], y[b]), all+max(x[b], y[b])
			}
			mean[label], members[label] = mean[label]+common/all, members[label]+1
		}
		want := means[i] // the relation graph is silent at first
		modeltest.Near(t, "beside class means", both[i:i+1], []float64{want}, 1e-5)
		want += factorOfTanimoto * (mean[1]/members[1] - mean[0]/members[0])
		modeltest.Near(t, "beside class means and fingerprints", three[i:i+1], []float64{want}, 1e-5)
	}
}

// TestTheGraphAddsToBeside: after a step the relation graph has learnt to add to the logits: without its classifier's last layer
// they are others.
func TestTheGraphAddsToBeside(t *testing.T) {
	modeltest.Locked(t, 1)
	m := modeltest.New(t, Spec, modeltest.SmallWith(t, Spec, func(s *Settings) { s.Beside = "means" }), model.Options{Seed: 3})
	b := modeltest.Joined(t, modeltest.RandomStore(6, 40), modeltest.Task(0, 3, 4), modeltest.Task(14, 3, 2))
	before, grads := modeltest.Backward(t, m, b, 3)
	for name, g := range grads {
		if strings.HasPrefix(name, "classifier.") && strings.Contains(name, ".3.") && modeltest.Norm(g) == 0 {
			t.Errorf("%s has no gradient", name)
		}
	}
	adam := modeltest.Optimiser(t, m)
	if _, err := adam.Step(); err != nil {
		t.Fatal(err)
	}
	if after, _ := modeltest.Backward(t, m, b, 3); after >= before {
		t.Errorf("a step leads from the loss %v to %v", before, after)
	}
}

// TestGradientsBeside compares with differences of the loss.
func TestGradientsBeside(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Locked(t, 1)
	for _, setting := range []string{besideTanimoto, besideExpected} {
		c := modeltest.SmallWith(t, Spec, func(s *Settings) { s.Beside = setting })
		c.Encoder = "fingerprint"
		m := modeltest.New(t, Spec, c, model.Options{Seed: 3, Float64: true})
		b := modeltest.Joined(t, modeltest.RandomStore(6, 40), modeltest.Task(0, 3, 4), modeltest.Task(14, 3, 2))
		_, grads := modeltest.Backward(t, m, b, 3)
		for _, p := range m.Parameters() {
			if p.Name != "metric.factor" && !strings.HasPrefix(p.Name, "beside.") {
				continue
			}
			if want := modeltest.SlopeAt(t, m, p, 0, b, 3); grads[p.Name][0] == 0 || math.Abs(grads[p.Name][0]-want) > 1e-6*math.Abs(want) {
				t.Errorf("%s: %s has the gradient %v, differences of the loss have %v", setting, p.Name, grads[p.Name][0], want)
			}
		}
	}
}

// TestEncoderRate: with a rate of 0 a step changes other parameters than those of the encoder and its readout.
func TestEncoderRate(t *testing.T) {
	modeltest.Locked(t, 1)
	c := modeltest.SmallWith(t, Spec, func(s *Settings) { s.EncoderRate = 0 })
	c.Encoder = "gin+fingerprint"
	m := modeltest.New(t, Spec, c, model.Options{Seed: 3})
	adam := modeltest.Optimiser(t, m)
	if err := m.ParamGroups(adam); err != nil {
		t.Fatal(err)
	}
	before := modeltest.Everything(t, m)
	modeltest.Backward(t, m, modeltest.Joined(t, modeltest.RandomStore(6, 40), modeltest.Task(0, 3, 4), modeltest.Task(14, 3, 2)), 3)
	if _, err := adam.Step(); err != nil {
		t.Fatal(err)
	}
	trained := map[bool]int{}
	for _, p := range m.Parameters() {
		changed := !slices.Equal(modeltest.Values(t, p), before[p.Name])
		body := strings.HasPrefix(p.Name, "encoder.") || strings.HasPrefix(p.Name, "readout.")
		if body && changed {
			t.Errorf("%s has changed", p.Name)
		}
		if changed {
			trained[body]++
		}
	}
	if trained[false] == 0 {
		t.Error("no parameter has changed")
	}
}
