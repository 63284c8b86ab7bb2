package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"pacia/config"
	"pacia/metrics"
	"pacia/model"
	"pacia/run/rundir"
	"pacia/train"
)

func TestTrainWithoutTerminal(t *testing.T) {
	cfg, err := config.Default(model.Paper, "")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Train.EvaluateEvery = 20
	var out, progress bytes.Buffer
	r := newTrainDisplay(&out, &progress, cfg)
	clock := time.Unix(0, 0)
	r.Now = func() time.Time { return clock }

	valid := 0.7125
	r.Start(train.StartInfo{
		Dir: "runs/tox21-0", Dataset: "tox21", Molecules: 7831, Skipped: 8,
		Train: []string{"a", "b"}, Validation: []string{"c"}, Test: []string{"d", "e"},
		Parameters: []model.PartCount{{Part: "encoder", Count: 1861200}, {Part: "classifier", Count: 995}},
		Adaptive:   3005, Episode: 5, Step: 5, Episodes: 40, EpisodeTasks: 1, TasksPerStep: 1, StepsPerEpisode: 1, Device: "cpu",
		Notes: []string{"train.tasks_per_step is 1: there are no more training tasks"},
	})
	for e := 6; e <= 40; e++ {
		clock = clock.Add(2 * time.Second)
		r.Step(rundir.Step{Episode: e, Loss: 0.7, Seconds: 2})
		if e == 10 {
			r.Length(train.Length{Steps: 30, StepSeconds: 2, Evaluations: 2, EvaluationSeconds: 30, FinalSeconds: 12})
		}
		if e%20 == 0 {
			r.Evaluation(rundir.Evaluation{Episode: e, TestMean: metrics.Values{0.75}, ValidationMean: metrics.Values{valid},
				Queries: 18800, Seconds: 30})
		}
	}
	r.Done(rundir.Summary{
		Episodes: 40, Seconds: 7322, Last: metrics.Values{0.75}, ValidationSelected: metrics.Values{valid}, BestOnTest: metrics.Values{0.8},
		PerTask: []rundir.TaskSummary{{Task: "d", Last: metrics.Values{0.7}, ValidationSelected: metrics.Values{valid},
			BestOnTest: metrics.Values{0.8}}, {Task: "e", Last: metrics.Values{0.8}, BestOnTest: metrics.Values{0.8}}},
	})
	golden(t, "train_display_out", out.String())
	golden(t, "train_display_progress", progress.String())
}

// On a terminal the bar must be cleared before a line of results is printed.
func TestTrainOnATerminal(t *testing.T) {
	var screen bytes.Buffer
	r := newTrainDisplay(&screen, &screen, config.Config{})
	r.Terminal = true
	clock := time.Unix(0, 0)
	r.Now = func() time.Time { clock = clock.Add(time.Second); return clock }
	r.Start(train.StartInfo{Episodes: 10})
	r.Step(rundir.Step{Episode: 1, Loss: 0.5, Seconds: 0.5})
	if !bytes.Contains(screen.Bytes(), []byte("2.00 step/s  loss 0.5000")) || !bytes.Contains(screen.Bytes(), []byte("1/10")) {
		t.Errorf("the bar lacks speed, loss or count: %q", screen.String())
	}
	before := screen.Len()
	r.Evaluation(rundir.Evaluation{Episode: 1, TestMean: metrics.Values{0.5}})
	if line := screen.String()[before:]; line[0] != '\r' {
		t.Errorf("the bar was not cleared before the line %q", line)
	}
}

// An evaluation has its own progress: lines without a terminal, and on a terminal a bar,
// which is cleared before the result is printed.
func TestEvaluationsShowHowFarTheyAre(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		var screen bytes.Buffer
		r := newTrainDisplay(&screen, &screen, config.Config{})
		clock := time.Unix(0, 0)
		now := func() time.Time { clock = clock.Add(11 * time.Second); return clock }
		r.Terminal, r.Now, r.ranking.Terminal, r.ranking.Now = terminal, now, terminal, now
		r.Start(train.StartInfo{Episodes: 10})
		before := screen.Len()
		for n := 500; n < 2000; n += 500 {
			r.Ranking(n, 18800)
		}
		shown := screen.String()[before:]
		if want := map[bool]string{false: "molecules ranked 1500/18800", true: "1500/18800"}[terminal]; !strings.Contains(shown, want) {
			t.Errorf("terminal %t: %q lacks %q", terminal, shown, want)
		}
		before = screen.Len()
		r.Evaluation(rundir.Evaluation{Episode: 1, TestMean: metrics.Values{0.5}})
		if line := screen.String()[before:]; terminal && line[0] != '\r' {
			t.Errorf("the bar was not cleared before the line %q", line)
		}
	}
}
