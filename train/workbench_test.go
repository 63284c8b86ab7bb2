package train

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"pacia/data"
	"pacia/ops"
	"pacia/run/runconfig"
)

// onWorkbench runs f with the small data set on a workbench.
func onWorkbench(t *testing.T, f func(w *Workbench)) {
	t.Helper()
	onWorkbenchOf(t, assaysConfig(t), f)
}

func onWorkbenchOf(t *testing.T, c runconfig.Config, f func(w *Workbench)) {
	t.Helper()
	err := ops.Pinned(1, func() error {
		w, err := OpenWorkbench(context.Background(), c)
		if err != nil {
			return err
		}
		f(w)
		return w.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestWorkbenchDrawsWhatARunDraws: a workbench must measure the batches of a run.
func TestWorkbenchDrawsWhatARunDraws(t *testing.T) {
	r := openAssays(t, assaysConfig(t))
	onWorkbench(t, func(w *Workbench) {
		for number := 1; number <= 3; number++ {
			got, err := w.Draw(number, r.episodes.perStep, r.episodes.rule.Shots)
			if err != nil {
				t.Fatal(err)
			}
			want, err := r.episodes.draw(number)
			if err != nil {
				t.Fatal(err)
			}
			w.run.learner.Prepare(want.Batch)
			if !reflect.DeepEqual(got, want.Batch) {
				t.Errorf("step %d has other molecules than in a run", number)
			}
		}
		b, err := w.Draw(1, 3*len(r.tasks.train), 1)
		if err != nil || b.Tasks != 3*len(r.tasks.train) || b.Shots != 1 {
			t.Errorf("more tasks than there are: %v, %v", b, err)
		}
	})
}

// TestWorkbenchTests: queries are sorted by size, and each has the same score as in
// the ranking of all queries.
func TestWorkbenchTests(t *testing.T) {
	onWorkbench(t, func(w *Workbench) {
		all, some := drawTest(t, w, 1), drawTest(t, w, 3)
		if want := (len(all.Query) + 2) / 3; len(some.Query) != want || !slices.Equal(some.Support, all.Support) {
			t.Fatalf("%d queries of %d, want %d", len(some.Query), len(all.Query), want)
		}
		scores := map[int32]float32{}
		for i, p := range ranked(t, w, all) {
			scores[all.Query[i]] = p
		}
		atoms := 0
		for i, p := range ranked(t, w, some) {
			row := some.Query[i]
			if d := p - scores[row]; d > 1e-5 || d < -1e-5 {
				t.Errorf("query %d: %v alone, %v among all", row, p, scores[row])
			}
			if n := w.run.data.Store.Atoms(int(row)); n < atoms {
				t.Errorf("query %d has %d atoms, the one before it %d", row, n, atoms)
			} else {
				atoms = n
			}
			if at := slices.Index(all.Query, row); all.QueryLabels[at] != some.QueryLabels[i] {
				t.Errorf("query %d lost its label", row)
			}
		}
	})
}

// TestWorkbenchCandidates: candidates have all sizes and are not in the support set. Each has
// the same score as in the ranking of all queries.
func TestWorkbenchCandidates(t *testing.T) {
	onWorkbench(t, func(w *Workbench) {
		ep := drawTest(t, w, 1)
		n := w.run.data.Store.Len() - len(ep.Support)
		if all := w.Candidates(ep, n+1); len(all) != n {
			t.Errorf("%d molecules, want all %d that are not in the support set", len(all), n)
		}
		some := w.Candidates(ep, 5)
		size := func(i int) int { return w.run.data.Store.Atoms(int(some[i])) }
		if len(some) != 5 || size(0) >= size(4) || slices.ContainsFunc(some, func(row int32) bool { return slices.Contains(ep.Support, row) }) {
			t.Fatalf("candidates %v, support %v", some, ep.Support)
		}
		scores := map[int32]float32{}
		for i, p := range ranked(t, w, ep) {
			scores[ep.Query[i]] = p
		}
		a, err := w.Adapt(ep)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Drop()
		got, err := w.Score(context.Background(), a, some)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range some {
			if want, ok := scores[row]; ok && (got[i]-want > 1e-5 || want-got[i] > 1e-5) {
				t.Errorf("molecule %d: %v, in the ranking of the task %v", row, got[i], want)
			}
		}
	})
}

// TestWorkbenchStepsLearn: at a rate at which the loss falls in every step, so
// that no processor's rounding decides.
func TestWorkbenchStepsLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c := tinyConfig(t)
	c.Train.LearningRate = 1e-3
	assign(t, &c, "model.dropout=0", "model.hyper.dropout=0")
	onWorkbenchOf(t, c, func(w *Workbench) {
		b, err := w.Draw(1, 2, 2)
		if err != nil {
			t.Fatal(err)
		}
		var losses []float64
		for range 30 {
			loss, err := w.Step(b, 1)
			if err != nil {
				t.Fatal(err)
			}
			losses = append(losses, loss)
		}
		if last := losses[len(losses)-1]; last >= losses[0] {
			t.Errorf("the loss of one batch goes from %v to %v in 30 steps", losses[0], last)
		}
	})
}

func drawTest(t *testing.T, w *Workbench, every int) data.Episode {
	t.Helper()
	ep, err := w.DrawTest(0, every)
	if err != nil {
		t.Fatal(err)
	}
	return ep
}

func ranked(t *testing.T, w *Workbench, ep data.Episode) []float32 {
	t.Helper()
	p, err := w.Rank(context.Background(), ep)
	if err != nil {
		t.Fatal(err)
	}
	if len(p) != len(ep.Query) {
		t.Fatalf("%d scores for %d queries", len(p), len(ep.Query))
	}
	return p
}
