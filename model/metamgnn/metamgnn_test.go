package metamgnn

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/shared/inner"
	"pacia/ops"
)

// small returns the settings of a narrow model, with the published settings edited by change.
func small(t *testing.T, change func(*Settings)) model.Config {
	t.Helper()
	c := modeltest.Small(t, Spec, model.Reference)
	own := c.Own.(Settings)
	own.Weighting.Hidden = 4
	if change != nil {
		change(&own)
	}
	c.Own = own
	return c
}

// made returns a model in double precision.
func made(t *testing.T, c model.Config) (*model.Model, *metamgnn) {
	t.Helper()
	m := modeltest.New(t, Spec, c, model.Options{Float64: true})
	return m, m.Method().(*metamgnn)
}

// twoTasks returns the batch of a training step with mini-batches of 5, 1 and 4 molecules.
func twoTasks(t *testing.T) *data.Batch {
	store := modeltest.RandomStore(6, 40)
	return modeltest.Joined(t, store, modeltest.Task(0, 3, 4), modeltest.Task(14, 3, 7))
}

// TestEncoders takes a training step, a step on a support set, and scores. After a batch norm
// without offset, states have mean 0, so that the attention, which reads means, has the same
// input for both tasks.
func TestEncoders(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Locked(t, 1)
	x := modeltest.NewExercise(t, Spec)
	x.Rounding = func(name string) bool { return strings.HasPrefix(name, "weighting.") }
	for _, encoder := range []string{"gin", "gat", "gcn", "graphsage", "pna", "film", "mat", "gin+fingerprint"} {
		for _, norm := range []string{"running", "support"} {
			c := small(t, nil)
			c.Encoder, c.Width, c.Norm = encoder, 8, norm
			if encoder == "mat" {
				c.Heads = 2
			}
			x.Run(t, encoder+"/"+norm, c)
		}
	}
}

// TestFingerprintsAreRefused: fingerprints have no atoms, which the self-supervised losses need.
func TestFingerprintsAreRefused(t *testing.T) {
	c := small(t, nil)
	c.Encoder = "fingerprint"
	modeltest.Fails(t, c.Validate(), "model.selfsupervised", "fingerprint", "model.encoder=gin")
	c = small(t, func(s *Settings) { s.Self = Self{Drawn: 5} })
	c.Encoder = "fingerprint"
	modeltest.NewExercise(t, Spec).Run(t, "fingerprint", c)
}

// TestQuestions: the targets are all bonds, as many other pairs, and distinct atoms.
func TestQuestions(t *testing.T) {
	_, own := made(t, small(t, nil))
	for seed := range uint64(20) {
		h := modeltest.Support(t, modeltest.RandomStore(seed, 4), modeltest.Task(0, 2, 0))
		q := own.ask(h, data.Rand(seed, "test", 0))
		bonds, atoms := len(h.Col)/2, len(h.RowPtr)-1
		want := min(bonds, atoms*(atoms-1)/2-bonds)
		if len(q.bonds.u) != bonds || len(q.others.u) != want {
			t.Fatalf("%d bonds and %d others of %d bonds, want %d others", len(q.bonds.u), len(q.others.u), bonds, want)
		}
		bonded := func(u, v int32) bool { return slices.Contains(h.Col[h.RowPtr[v]:h.RowPtr[v+1]], u) }
		seen := map[[2]int32]bool{}
		for i, u := range q.bonds.u {
			p := [2]int32{u, q.bonds.v[i]}
			if !bonded(p[0], p[1]) || seen[p] {
				t.Errorf("%v is not a bond, or occurs twice", p)
			}
			seen[p] = true
		}
		for i, u := range q.others.u {
			p := [2]int32{u, q.others.v[i]}
			if p[0] >= p[1] || bonded(p[0], p[1]) || seen[p] {
				t.Errorf("%v is a bond, or was drawn before", p)
			}
			seen[p] = true
		}
		drawn := map[int32]bool{}
		for i, v := range q.atoms {
			if drawn[v] || q.elements[i] != int64(h.Atoms[2*v]) {
				t.Errorf("atom %d was drawn before, or is no %d", v, q.elements[i])
			}
			drawn[v] = true
		}
		if len(q.atoms) != min(5, atoms) {
			t.Errorf("%d of %d atoms are drawn", len(q.atoms), atoms)
		}
	}
}

// TestQuestionsOfNodes: the transformer has a dummy node before the atoms of each molecule, which is not a
// target.
func TestQuestionsOfNodes(t *testing.T) {
	modeltest.Locked(t, 1)
	c := small(t, nil)
	c.Encoder, c.Width, c.Heads = "mat", 8, 2
	m, own := made(t, c)
	h := modeltest.Readable(m, modeltest.Support(t, modeltest.RandomStore(3, 4), modeltest.Task(0, 2, 0)))
	var with, without, want float64
	err := ops.InScope(func(s *ops.Scope) {
		loss, states := own.loss(h, ops.Mode{}, s)
		with = ops.Try(ops.Number(loss)).In(s)
		rows := ops.Try(ops.ReadAs[float64](states)).In(s)
		q := own.ask(h, data.Rand(0, stream, 0))
		state := func(v int32) []float64 {
			molecule := 0
			for h.MolPtr[molecule+1] <= v {
				molecule++
			}
			at := int(v) + molecule + 1
			return rows[at*c.Width : (at+1)*c.Width]
		}
		for sign, p := range map[float64]pairs{-1: q.bonds, 1: q.others} {
			for i := range p.u {
				product := 0.0
				for k, x := range state(p.u[i]) {
					product += x * state(p.v[i])[k]
				}
				want += softplus(sign*product) / float64(len(p.u))
			}
		}
		want *= own.Self.Bonds / float64(len(q.bonds.u))
		own.Self.Bonds = 0
		loss, _ = own.loss(h, ops.Mode{}, s)
		without = ops.Try(ops.Number(loss)).In(s)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := with - without; math.Abs(got-want) > 1e-12 {
		t.Errorf("the bonds add %v to the loss, want %v", got, want)
	}
}

// TestMinibatches: mini-batches contain all molecules with their labels, and do not depend on
// the order of the molecules.
func TestMinibatches(t *testing.T) {
	_, own := made(t, small(t, nil))
	store, e := modeltest.RandomStore(5, 30), modeltest.Unequal(0, 7, 5, 0)
	cut := func(e data.Episode) (all []*data.Batch) {
		return own.minibatches(modeltest.Support(t, store, e), data.Rand(1, "test", 0))
	}
	parts := cut(e)
	e.Support = []int32{6, 5, 4, 3, 2, 1, 0, 11, 10, 9, 8, 7}
	again, active := cut(e), 0
	for i, p := range parts {
		if want := []int{5, 5, 2}[i]; p.Support != want || !slices.Equal(p.Atoms, again[i].Atoms) || !slices.Equal(p.SupportLabel, again[i].SupportLabel) {
			t.Errorf("mini-batch %d has %d molecules, want %d; in another order %d", i, p.Support, want, again[i].Support)
		}
		for _, y := range p.SupportLabel {
			active += int(y)
		}
	}
	if len(parts) != 3 || active != 5 {
		t.Errorf("%d mini-batches with %d active molecules, want 3 with 5", len(parts), active)
	}
}

// TestTestStepsAreEvaluation: a test task's steps have no dropout and do not update averages.
func TestTestStepsAreEvaluation(t *testing.T) {
	store, rows := modeltest.RandomStore(5, 30), []int32{20, 21, 22, 23}
	var want []float64
	for _, dropout := range []float64{0, 0.5} {
		c := small(t, nil)
		c.Dropout = dropout
		m, _ := made(t, c)
		m.Tune(model.Tuning{Steps: 3, LearningRate: 0.1})
		got, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, modeltest.Task(0, 6, 0)), store, rows, 4)
		if want != nil && !slices.Equal(got, want) {
			t.Errorf("with dropout %v, without %v", got, want)
		}
		want = got
		before := modeltest.Everything(t, m)
		h := modeltest.Support(t, store, modeltest.Task(0, 6, 0))
		if _, err := m.Backward(h, 1); err != nil {
			t.Fatal(err)
		}
		for _, b := range m.Buffers() {
			if !slices.Equal(modeltest.Values(t, b), before[b.Name]) {
				t.Errorf("%s moved", b.Name)
			}
		}
	}
}

// TestRounded: a rounded score is 0 or 1, on the side of the probability.
func TestRounded(t *testing.T) {
	store, rows := modeltest.RandomStore(5, 30), []int32{20, 21, 22, 23, 24, 25}
	scores := func(kind string) []float64 {
		m, _ := made(t, small(t, func(s *Settings) { s.Score = kind }))
		m.Tune(model.Tuning{Steps: 2, LearningRate: 0.4})
		p, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, modeltest.Task(0, 3, 0)), store, rows, 6)
		return p
	}
	rounded := scores("rounded")
	for q, p := range scores("probability") {
		if math.Abs(rounded[q]-math.Round(p)) > 1e-12 {
			t.Errorf("query %d: %v is rounded to %v", q, p, rounded[q])
		}
	}
}

// TestCheck: missing inputs of a step are reported.
func TestCheck(t *testing.T) {
	m, _ := made(t, small(t, nil))
	h := twoTasks(t)
	h.QueryMol, h.QueryLabel, h.QueryTask = nil, nil, nil
	_, err := m.Backward(h, 1)
	modeltest.Fails(t, err, "one task is needed")
}

// isAttention reports whether a parameter belongs to the attention.
func isAttention(name string) bool { return strings.HasPrefix(name, "weighting.") }

// TestAttentionSlope: the gradients of the attention are the slope of the outer loss, with
// inner steps and dropout.
func TestAttentionSlope(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.RunBoth(t, "slope", func(t *testing.T) {
		c := small(t, nil)
		c.Dropout = 0.2
		m, _ := made(t, c)
		b, largest := twoTasks(t), 0.0
		_, grads := modeltest.Backward(t, m, b, 1)
		for _, p := range m.Parameters() {
			for i := range min(3, p.Size()) {
				if !isAttention(p.Name) {
					break
				}
				g := grads[p.Name][i]
				if d := modeltest.SlopeAt(t, m, p, i, b, 1); math.Abs(d-g) > 1e-8 {
					t.Errorf("%s[%d]: gradient %v, difference %v", p.Name, i, g, d)
				}
				largest = max(largest, math.Abs(g))
			}
		}
		if largest < 1e-6 {
			t.Errorf("the largest gradient is %v: this test shows nothing", largest)
		}
	})
}

// plainMode returns the mode of pass i of task t of a step with the key 1.
func plainMode(t, i int) ops.Mode { return inner.Mode(ops.Mode{Training: true, Key: 1}, t, i) }
