package train

import (
	"context"
	"errors"
	"math"
	"os"
	"reflect"
	"testing"

	"pacia/data"
	"pacia/metrics"
	"pacia/runconfig"
	"pacia/rundir"
)

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDeltaAUPRC: perfect scores have the average precision 1, equal ones the
// share of actives.
func TestDeltaAUPRC(t *testing.T) {
	r := openAssays(t, assaysConfig(t))
	task := &r.data.Tasks[6]
	for _, tt := range []struct {
		name  string
		o     *oracle
		share float64 // of what is above the share of actives
	}{
		{"perfect", &oracle{score: rings}, 1},
		{"equal", &oracle{score: func(*data.Batch, int32) float32 { return 0.25 }}, 0},
	} {
		got, _, err := evaluate(context.Background(), tt.o.adapt, r.data, []int{6}, EvalOptions{Rule: data.Draw{Support: 12}, Draws: 3})
		if err != nil {
			t.Fatal(err)
		}
		var want float64
		for k := range 3 {
			ep, err := EvalOptions{Rule: data.Draw{Support: 12}}.Draw(r.data, 6, k)
			if err != nil {
				t.Fatal(err)
			}
			actives := 0
			for _, l := range ep.QueryLabels {
				actives += int(l)
			}
			want += tt.share * (1 - float64(actives)/float64(len(ep.QueryLabels))) / 3
			if len(ep.Support) != 12 || len(ep.Query)+12 != len(task.Rows) {
				t.Errorf("draw %d: %d support molecules, %d queries of %d", k, len(ep.Support), len(ep.Query), len(task.Rows))
			}
		}
		// 1e-12 is far above the rounding of some hundred sums near 1.
		if math.Abs(got[0].DeltaAUPRC-want) > 1e-12 || got[0].Draws != 3 {
			t.Errorf("%s scores: %+v, want ΔAUPRC %v of 3 draws", tt.name, got[0], want)
		}
		if got[0].AUC != (1+tt.share)/2 {
			t.Errorf("%s scores: ROC-AUC %v", tt.name, got[0].AUC)
		}
	}
}

// TestDrawsOfAnEvaluation: each has a seed of its own, which hangs on the run's;
// the first balanced one is that of an evaluation with one draw.
func TestDrawsOfAnEvaluation(t *testing.T) {
	r := openAssays(t, assaysConfig(t))
	for _, support := range []int{0, 10} {
		draw := func(seed, number uint64, k int) []int32 {
			ep, err := EvalOptions{Seed: seed, Number: number, Rule: data.Draw{Shots: 5, Support: support}, Draws: 4}.Draw(r.data, 6, k)
			if err != nil {
				t.Fatal(err)
			}
			return ep.Support
		}
		if !reflect.DeepEqual(draw(1, 2, 3), draw(1, 2, 3)) {
			t.Error("two draws of one number differ")
		}
		for _, other := range [][]int32{draw(1, 2, 2), draw(1, 3, 3), draw(2, 2, 3)} {
			if reflect.DeepEqual(draw(1, 2, 3), other) {
				t.Error("draws of another number, evaluation or seed are equal")
			}
		}
	}
	if _, err := (EvalOptions{Rule: data.Draw{Support: 100000}}).Draw(r.data, 6, 0); !errors.Is(err, data.ErrTooSmall) {
		t.Errorf("a draw that the task does not hold: %v", err)
	}
}

// TestTestTasksInTheEnd: the selected model has the figures that an evaluation at
// its episode gives, and the test tasks are evaluated once.
func TestTestTasksInTheEnd(t *testing.T) {
	for _, selection := range []string{runconfig.SelectValidation, runconfig.SelectLast} {
		c := assaysConfig(t)
		c.Train.Selection = selection
		_, always := trainFake(t, c, t.TempDir(), false)
		c.Train.TestEvery = runconfig.TestLast
		dir := t.TempDir()
		rec, last := trainFake(t, c, dir, false)
		tested := 0
		for _, e := range rec.evaluations {
			if len(e.Test) > 0 {
				tested++
			}
		}
		if tested != 1 || last.BestEpisode != always.BestEpisode || last.AUCBestOnTest != 0 || last.DeltaBestOnTest != nil {
			t.Errorf("%s: %d evaluations of the test tasks; summary %+v", selection, tested, last)
		}
		if !reflect.DeepEqual(last.AUCValidationSelected, always.AUCValidationSelected) {
			t.Errorf("%s: selected %v, want %v", selection, last.AUCValidationSelected, always.AUCValidationSelected)
		}
		if want := always.AUCLast; selection == runconfig.SelectLast && last.AUCLast != want {
			t.Errorf("the last model has %v, want %v", last.AUCLast, want)
		}
		if selection == runconfig.SelectValidation && always.BestEpisode != 12 && last.AUCLast != 0 {
			t.Errorf("the last model has %v, which was not measured", last.AUCLast)
		}
		if again, s := trainFake(t, c, dir, true); len(again.steps) != 0 || s.BestEpisode != last.BestEpisode || !reflect.DeepEqual(s.PerTask, last.PerTask) {
			t.Errorf("%s: resumed when finished: %+v, want %+v", selection, s, last)
		}
	}
}

// TestSelectionByMetric: the best by ΔAUPRC is not that by ROC-AUC.
func TestSelectionByMetric(t *testing.T) {
	of := func(episode int, metric string, auc, delta float64) rundir.Evaluation {
		e := rundir.Evaluation{Episode: episode, Metric: metric}
		e.TakeTest([]metrics.Figures{{Task: "t", AUC: auc, DeltaAUPRC: delta}})
		e.TakeValidation([]metrics.Figures{{Task: "v", AUC: auc, DeltaAUPRC: delta}})
		return e
	}
	for metric, want := range map[string]int{metrics.NameROCAUC: 10, metrics.NameDeltaAUPRC: 20} {
		for _, selection := range []string{runconfig.SelectValidation, runconfig.SelectTest} {
			var p Progress
			p.take(of(10, metric, 0.9, 0.1), selection)
			p.take(of(20, metric, 0.8, 0.2), selection)
			p.Episode = 20
			c := testConfig(t)
			c.Train.Selection, c.Train.Metric = selection, metric
			s := p.summary(c)
			if s.BestEpisode != want || s.Metric != metric || (*s.DeltaValidationSelected == 0.2) != (want == 20) || *s.DeltaLast != 0.2 {
				t.Errorf("%s, %s: %+v, want episode %d", metric, selection, s, want)
			}
		}
	}
}
