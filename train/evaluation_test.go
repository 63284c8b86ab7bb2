package train

import (
	"os"
	"reflect"
	"slices"
	"testing"

	"pacia/harness/runtest"
	"pacia/metrics"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
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
		for _, e := range slices.Concat(rec.evaluations, rec.selected) {
			if len(e.Test) > 0 {
				tested++
			}
		}
		if tested != 1 || last.BestEpisode != always.BestEpisode || last.BestOnTest != nil {
			t.Errorf("%s: %d evaluations of the test tasks; summary %+v", selection, tested, last)
		}
		if !reflect.DeepEqual(last.ValidationSelected, always.ValidationSelected) {
			t.Errorf("%s: selected %v, want %v", selection, last.ValidationSelected, always.ValidationSelected)
		}
		if want := always.Last; selection == runconfig.SelectLast && !slices.Equal(last.Last, want) {
			t.Errorf("the last model has %v, want %v", last.Last, want)
		}
		if selection == runconfig.SelectValidation && always.BestEpisode != 12 && last.Last != nil {
			t.Errorf("the last model has %v, which was not measured", last.Last)
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
		e.AddTest([]metrics.Figures{{Task: "t", Values: metrics.Values{auc, delta}}})
		e.AddValidation([]metrics.Figures{{Task: "v", Values: metrics.Values{auc, delta}}})
		return e
	}
	for metric, want := range map[string]int{metrics.NameROCAUC: 10, metrics.NameDeltaAUPRC: 20} {
		for _, selection := range []string{runconfig.SelectValidation, runconfig.SelectTest} {
			var p progress
			p.addEvaluation(of(10, metric, 0.9, 0.1), selection)
			p.addEvaluation(of(20, metric, 0.8, 0.2), selection)
			p.Episode = 20
			c := runtest.Config(t)
			c.Train.Selection, c.Train.Metric = selection, metric
			s := p.summary(c)
			if s.BestEpisode != want || s.Metric != metric || (s.ValidationSelected[1] == 0.2) != (want == 20) || s.Last[1] != 0.2 {
				t.Errorf("%s, %s: %+v, want episode %d", metric, selection, s, want)
			}
		}
	}
}
