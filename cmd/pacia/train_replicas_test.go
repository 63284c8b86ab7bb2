package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pacia/config"
	"pacia/metrics"
	"pacia/model"
	"pacia/run/rundir"
	"pacia/train"
)

// Two replicas are two separate runs, and their figures are summarised.
func TestTrainReplicas(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	out := trained(t, "two", "--set", "train.replicas=2", "--set", "threads=2", "--set", "seed=3")
	for _, want := range []string{"replicas  2, with the seeds 3 to 4\n", "folder    two\n", "\nseed 3  episode 6/6 ", "\nseed 4  episode 6/6 ", "\nstandard deviation  0."} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
	if n := strings.Count(out, "data      "); n != 1 {
		t.Errorf("%d headers:\n%s", n, out)
	}
	for seed, dir := range map[string]string{"3": "two/seed-3", "4": "two/seed-4"} {
		trained(t, "one-"+seed, "--set", "seed="+seed)
		if a, b := reached(t, "one-"+seed), reached(t, dir); a != b {
			t.Errorf("seed %s: alone the model reaches %v, as a replica %v", seed, a, b)
		}
	}
	text, err := os.ReadFile(filepath.Join("two", "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s rundir.ReplicaSummary
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	if got := s.Last[0].Mean - (reached(t, "two/seed-3")+reached(t, "two/seed-4"))/2; len(s.Seeds) != 2 || got > 1e-9 || got < -1e-9 {
		t.Errorf("summary.json is %s", text)
	}

	out = ok(t, "train", "--resume", "--out", "two", "--set", "train.episodes=8")
	if !strings.Contains(out, "seed 3  resumed after episode 6\n") || !strings.Contains(out, "seed 4  episode 8/8 ") {
		t.Errorf("resumed, they report\n%s", out)
	}
	if out := ok(t, "train", "--resume", "--out", "two/seed-4", "--set", "train.episodes=9"); !strings.Contains(out, "resumed   after episode 8\n") {
		t.Errorf("one of them, resumed alone, reports\n%s", out)
	}
}

func TestReplicasDisplay(t *testing.T) {
	cfg, err := config.Default(model.Paper, "")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Train.Replicas, cfg.Train.Episodes, cfg.Train.EvaluateEvery = 3, 10, 5
	var out, progress bytes.Buffer
	all := newReplicasDisplay(&out, &progress, cfg, "runs/three")
	clock := time.Unix(0, 0)
	all.Now = func() time.Time { return clock }

	start := train.StartInfo{Dir: "runs/three/seed-0", Dataset: "tox21", Episodes: 10, EpisodeTasks: 1, TasksPerStep: 1, StepsPerEpisode: 1, Device: "cpu", Notes: []string{"A note."}}
	reports := make([]train.Reporter, 3)
	for i := range reports {
		reports[i] = all.Replica(uint64(i))
		if i == 2 {
			start.Episode, start.Step = 8, 8 // of an earlier call
		}
		reports[i].Start(start)
	}
	for step := 100; step <= 300; step += 100 {
		clock = clock.Add(20 * time.Second)
		reports[0].(train.SupervisedReporter).Supervised(step, 300, 0.7)
	}
	for e := 1; e <= 10; e++ {
		clock = clock.Add(2 * time.Second)
		reports[0].Step(rundir.Step{Episode: e, Loss: 0.7})
		if e <= 5 {
			reports[1].Step(rundir.Step{Episode: e, Loss: 0.6})
		}
		if e == 5 {
			reports[1].Evaluation(rundir.Evaluation{Episode: e, TestMean: metrics.Values{0.75}, Queries: 100, Seconds: 1})
			all.Failed(1, errors.New("episode 6 (d): not a finite number\nand more"))
		}
	}
	for e := 9; e <= 10; e++ {
		reports[2].Step(rundir.Step{Episode: e, Loss: 0.7})
	}
	v := rundir.Spread{Mean: 0.75, StandardDeviation: 0.05, Values: []float64{0.7, 0.75, 0.8}}
	if err := all.finish(rundir.ReplicaSummary{Seeds: []uint64{0, 1, 2}, Episodes: 10, Last: []*rundir.Spread{&v},
		BestOnTest: []*rundir.Spread{&v}, Seconds: 60}, nil); err != nil {
		t.Fatal(err)
	}
	golden(t, "replicas_out", out.String())
	golden(t, "replicas_progress", progress.String())
	if all.done != all.total() {
		t.Errorf("at the end %d of %d steps are done", all.done, all.total())
	}
}
