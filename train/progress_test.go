package train

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"pacia/harness/runtest"
	"pacia/metrics"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// evaluation returns an evaluation of two test tasks with the given mean.
func evaluation(episode int, test float64, validation ...float64) rundir.Evaluation {
	e := rundir.Evaluation{Episode: episode, TestMean: metrics.Values{test}, Test: []metrics.Figures{{Task: "a",
		Values: metrics.Values{test - 0.1}}, {Task: "b", Values: metrics.Values{test + 0.1}}}}
	if len(validation) > 0 {
		e.ValidationMean = validation
		e.Validation = []metrics.Figures{{Task: "v", Values: validation}}
	}
	return e
}

func TestSelection(t *testing.T) {
	with := []rundir.Evaluation{
		evaluation(10, 0.60, 0.70), evaluation(20, 0.80, 0.65), evaluation(30, 0.62, 0.75),
		evaluation(40, 0.80, 0.75), evaluation(50, 0.50, 0.55),
	}
	without := []rundir.Evaluation{evaluation(10, 0.6), evaluation(20, 0.8), evaluation(30, 0.8), evaluation(40, 0.7)}
	for _, tt := range []struct {
		name, selection string
		evaluations     []rundir.Evaluation
		saved           []int // episodes at which the model became best.ckpt
		want            rundir.Summary
	}{
		{"validation", runconfig.SelectValidation, with, []int{10, 30},
			rundir.Summary{Last: metrics.Values{0.50}, ValidationSelected: metrics.Values{0.62}, BestOnTest: metrics.Values{0.80}, BestEpisode: 30}},
		{"test", runconfig.SelectTest, without, []int{10, 20},
			rundir.Summary{Last: metrics.Values{0.7}, BestOnTest: metrics.Values{0.8}, BestEpisode: 20}},
		{"last", runconfig.SelectLast, without, []int{10, 20, 30, 40},
			rundir.Summary{Last: metrics.Values{0.7}, BestOnTest: metrics.Values{0.8}, BestEpisode: 40}},
		{"one evaluation", runconfig.SelectTest, without[:1], []int{10},
			rundir.Summary{Last: metrics.Values{0.6}, BestOnTest: metrics.Values{0.6}, BestEpisode: 10}},
	} {
		var p progress
		var saved []int
		for _, e := range tt.evaluations {
			p.Episode = e.Episode
			if p.addEvaluation(e, tt.selection) {
				saved = append(saved, e.Episode)
			}
			if !p.evaluated() {
				t.Errorf("%s: episode %d does not count as evaluated", tt.name, e.Episode)
			}
		}
		if !slices.Equal(saved, tt.saved) {
			t.Errorf("%s: best.ckpt is saved at %v, want %v", tt.name, saved, tt.saved)
		}
		cfg := runtest.Config(t)
		cfg.Train.Selection = tt.selection
		got := p.summary(cfg)
		if !slices.Equal(got.Last, tt.want.Last) || !slices.Equal(got.BestOnTest, tt.want.BestOnTest) || got.BestEpisode != tt.want.BestEpisode ||
			!slices.Equal(got.ValidationSelected, tt.want.ValidationSelected) {
			t.Errorf("%s: got %+v\nwant %+v", tt.name, got, tt.want)
		}
		if n := len(got.PerTask); n != 2 || got.PerTask[1].Last[0] != got.Last[0]+0.1 || got.PerTask[1].BestOnTest[0] != got.BestOnTest[0]+0.1 {
			t.Errorf("%s: the tasks do not go with the means: %+v", tt.name, got.PerTask)
		}
	}
}

// TestSummaryNamesWhatIsMissing: a figure that was not measured is null in summary.json,
// not absent.
func TestSummaryNamesWhatIsMissing(t *testing.T) {
	p := progress{checkpoint.Progress{Episode: 10}}
	p.addEvaluation(evaluation(10, 0.6), runconfig.SelectLast)
	cfg := runtest.Config(t)
	cfg.Train.Selection = runconfig.SelectLast
	text, err := json.Marshal(p.summary(cfg))
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	if v, there := fields["auc_validation_selected"]; !there || v != nil {
		t.Errorf("auc_validation_selected is %v (there: %t), want null", v, there)
	}
	for _, name := range []string{"auc_last", "auc_best_on_test", "auc_best_on_test_note", "per_task", "seconds", "episodes", "selection", "best_episode", "seed"} {
		if fields[name] == nil {
			t.Errorf("summary.json lacks %s: %s", name, text)
		}
	}
}

func TestProgressSurvivesEncoding(t *testing.T) {
	p := progress{checkpoint.Progress{Episode: 20, Seconds: 1.25}}
	p.addEvaluation(evaluation(10, 1./3, 2./3), runconfig.SelectTest)
	p.addEvaluation(evaluation(20, 0.1, 0.7), runconfig.SelectTest)
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var back progress
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, p) {
		t.Errorf("got %+v, want %+v", back, p)
	}
}
