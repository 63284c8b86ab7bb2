package pacia

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// eachPreset runs f with a narrow model of each preset, with N and D adapted in
// both parts, in float64. FiLM with unit vectors limits values, so that scores are
// not all 0 or 1.
func eachPreset(t *testing.T, f func(t *testing.T, c config)) {
	for _, preset := range []string{model.Paper, model.Reference} {
		t.Run(preset, func(t *testing.T) {
			modeltest.Locked(t, 2)
			c := small(t, preset)
			c.Adapt, c.Film = Adapt{"ND", "ND"}, "unit"
			f(t, c)
		})
	}
}

// TestSupportIsASet: the order of a class's molecules does not matter.
func TestSupportIsASet(t *testing.T) {
	eachPreset(t, func(t *testing.T, c config) {
		m := newTest(t, c, true)
		store := modeltest.RandomStore(5, 30)
		e := modeltest.Task(0, 4, 10)
		want, wantDepth := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, e.Query, 10)
		e.Support = []int32{2, 3, 1, 0, 6, 4, 7, 5}
		got, depth := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, e.Query, 10)
		modeltest.Close(t, "P(active) with the support in another order", got, want, modeltest.Float32ULP)
		if !slices.Equal(depth, wantDepth) {
			t.Errorf("depths %v with the support in another order, %v before", depth, wantDepth)
		}
		// The class of a molecule does matter.
		e.Support = []int32{4, 1, 2, 3, 0, 5, 6, 7}
		other, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, e.Query, 10)
		if slices.Equal(other, want) {
			t.Error("exchanging two molecules between classes changes no score")
		}
	})
}

// TestScoresInBatches: the score of a query does not depend on other queries.
func TestScoresInBatches(t *testing.T) {
	eachPreset(t, func(t *testing.T, c config) {
		m := newTest(t, c, true)
		store := modeltest.RandomStore(6, 40)
		e := modeltest.Task(0, 3, 30)
		a := modeltest.Adapt(t, m, store, e)
		want, wantDepth := modeltest.Scores(t, m, a, store, e.Query, len(e.Query))
		for _, size := range []int{1, 7, 29} {
			got, depth := modeltest.Scores(t, m, a, store, e.Query, size)
			modeltest.Close(t, fmt.Sprintf("P(active) in batches of %d", size), got, want, modeltest.Float32ULP)
			if !slices.Equal(depth, wantDepth) {
				t.Errorf("batches of %d: depths %v, at once %v", size, depth, wantDepth)
			}
		}
	})
}

// TestScoreIsWhatTrainingSees: adapting and then scoring gives the same as one pass
// over support and queries, with running averages in both.
func TestScoreIsWhatTrainingSees(t *testing.T) {
	eachPreset(t, func(t *testing.T, c config) {
		store := modeltest.RandomStore(7, 20)
		e := modeltest.Task(0, 3, 6)
		c.Norm, c.DepthLoss = "running", "expected" // logits of every layer
		p := newProbe(t, c, true)
		m := p.model
		prob, depth := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, e.Query, 6)
		_, stages := p.pass(t, modeltest.Joined(t, store, e), ops.Mode{})
		layers := c.Relation.Layers
		for q := range prob {
			p := stages.Depth[q*layers : (q+1)*layers]
			best := slices.Index(p, slices.Max(p))
			if int(depth[q]) != best+1 {
				t.Errorf("query %d: depth %d, want %d", q, depth[q], best+1)
			}
			l := stages.Logits[2*(q*layers+best):]
			if want := 1 / (1 + math.Exp(l[0]-l[1])); math.Abs(prob[q]-want) > modeltest.Float32ULP {
				t.Errorf("query %d: P(active) %v, in one pass %v", q, prob[q], want)
			}
		}
	})
}

// TestTasksOfAStep: the tasks of a step do not affect each other. Loss and gradients
// of two tasks together, with different numbers of queries, are the means of both
// alone. Running averages change as if one task came after the other.
func TestTasksOfAStep(t *testing.T) {
	eachPreset(t, func(t *testing.T, c config) {
		for _, depth := range []string{"nodes", "expected", "uniform"} {
			c.DepthLoss = depth
			checkTasksOfAStep(t, c)
		}
	})
}

func checkTasksOfAStep(t *testing.T, c config) {
	t.Helper()
	store := modeltest.RandomStore(8, 40)
	first, second := modeltest.Task(0, 3, 5), modeltest.Task(20, 3, 9)
	run := func(m *model.Model, eps ...data.Episode) (float64, map[string][]float64) {
		return modeltest.Backward(t, m, modeltest.Joined(t, store, eps...), 1)
	}
	both, apart := newTest(t, c, true), newTest(t, c, true)
	loss, grads := run(both, first, second)
	loss1, grads1 := run(apart, first)
	loss2, sums := run(apart, second) // gradients add up in the parameters
	modeltest.Close(t, "loss with depth_loss "+c.DepthLoss, []float64{loss}, []float64{(loss1 + loss2) / 2}, modeltest.Rounding)
	// Some gradients nearly cancel, such as those of a shift before a batch norm or a
	// softmax. They consist of the rounding of terms as large as other gradients. So
	// the comparison has a scale of at least 1e-4, and 1e-4 of the largest gradient.
	floor := 1e-4
	for _, g := range grads {
		floor = max(floor, 1e-4*modeltest.Norm(g))
	}
	for name, g := range grads {
		if (g == nil) != (grads1[name] == nil) {
			t.Errorf("%s: either one task or two tasks give a gradient, but not both", name)
		}
		want := make([]float64, 0, len(g)+1)
		for _, v := range sums[name] {
			want = append(want, v/2)
		}
		modeltest.Close(t, "gradient of "+name, append(g, floor), append(want, floor), modeltest.Rounding)
	}
	for i, p := range both.Buffers() {
		got, err := ops.ReadAs[float64](p.Tensor)
		if err != nil {
			t.Fatal(err)
		}
		want, err := ops.ReadAs[float64](apart.Buffers()[i].Tensor)
		if err != nil {
			t.Fatal(err)
		}
		modeltest.Close(t, p.Name, got, want, modeltest.Rounding)
	}
}
