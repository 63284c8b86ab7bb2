package main

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"pacia/data/source/fsmol"
	"pacia/harness/chains"
	"pacia/metrics"
)

// TestPaired checks the mean and the standard error of the differences over the common tasks.
func TestPaired(t *testing.T) {
	known := func(n int) *metrics.Adaptivity { return &metrics.Adaptivity{Queries: 10, Known: n} }
	here := []metrics.Figures{
		{Task: "a", Values: metrics.Values{0, 0.3}, Adaptivity: known(0)},
		{Task: "b", Values: metrics.Values{0, 0.5}, Adaptivity: known(10)},
		{Task: "only here", Values: metrics.Values{0, 9}, Adaptivity: known(0)},
	}
	p := paired(here, fsmol.Record{Method: "other", Support: 16, Delta: map[string]float64{"a": 0.2, "b": 0.2, "only there": -9}})
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-15 }
	if p.Tasks != 2 || !near(p.DeltaAUPRC, 0.2) || !near(p.Difference, 0.2) || !near(p.StandardError, 0.1) {
		t.Errorf("got %+v, want differences 0.1 and 0.3", p)
	}
	if len(p.Categories) != 2 || !near(p.Categories[0].Mean[1], 0.1) || !near(p.Categories[1].Mean[1], 0.3) {
		t.Errorf("groups %+v, want 0.1 of new and 0.3 of known molecules", p.Categories)
	}
}

// TestEvalAgainst checks that a model's difference to its own results is 0, and to others the
// difference of the two tables.
func TestEvalAgainst(t *testing.T) {
	folder(t)
	trained(t, "run", byProtocol()...)
	eval := func(more ...string) (b protocolTest) {
		t.Helper()
		text := ok(t, append([]string{"eval", "--checkpoint", "run/best.ckpt", "--sizes", "16", "--draws", "2", "--json"}, more...)...)
		if err := json.Unmarshal([]byte(text), &b); err != nil {
			t.Fatal(err)
		}
		return b
	}
	first := eval("--results", "first")
	same := eval("--results", "second", "--against", "first").Against
	if len(same) != 1 || same[0].Method != "first" || same[0].Tasks != 2 || same[0].Difference != 0 || same[0].StandardError != 0 {
		t.Errorf("a model against itself: %+v", same)
	}
	wantFault(t, "pacia: first: has_5_eval_results.csv has results of a task that is not among the test tasks; "+
		"results of two models would be mixed; write another --results, or remove the files in the folder",
		"eval", "--checkpoint", "run/best.ckpt", "--results", "first", "--sizes", "16", "--draws", "1", "--set", "data.split=0-5/6")
	put(t, "published.csv", "method,support,assay,delta_auprc\nrival,16,has_5,0.125\nrival,16,has_6,0.125\nrival,32,has_6,0\n")
	rival := eval("--results", "third", "--against", "published.csv").Against
	if len(rival) != 1 || math.Abs(rival[0].Difference-(first.Sizes[0].Mean[1]-0.125)) > 1e-12 {
		t.Errorf("against 0.125: %+v, the model has %v", rival, first.Sizes[0].Mean[1])
	}
	for _, tt := range []struct{ mean, want string }{{difference(0.25, 0, 1), "+0.2500"}, {difference(-0.25, 0.125, 2), "-0.2500 ± 0.1250"}} {
		if tt.mean != tt.want {
			t.Errorf("a difference is written %s, want %s", tt.mean, tt.want)
		}
	}
	put(t, "others.csv", "method,support,assay,delta_auprc\nrival,16,CHEMBL1,0.125\n")
	wantFault(t, "pacia: others.csv: no task and size is in these results and among the test tasks; compare results of the same tasks",
		"eval", "--checkpoint", "run/best.ckpt", "--results", "fourth", "--sizes", "16", "--draws", "1", "--against", "others.csv")
	put(t, "twins.csv", strings.NewReplacer("has_5", "a/b", "has_6", "a_b").Replace(chains.Library()))
	wantFault(t, `pacia: column a_b: its results would be the file a_b_eval_results.csv, as those of "a/b"; rename one of the two`,
		"eval", "--checkpoint", "run/best.ckpt", "--set", "data.path=twins.csv", "--set", "data.split=0-4/5-6", "--results", "fifth")
	if _, err := os.Stat("fifth"); err == nil {
		t.Error("something was written")
	}
	wantFault(t, "pacia: --against has no effect without --results; also write --results, or leave it out",
		"eval", "--checkpoint", "run/best.ckpt", "--against", "first")
}
