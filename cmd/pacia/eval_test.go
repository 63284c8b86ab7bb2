package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"pacia/run/rundir"
)

func TestEvalGivesWhatTrainingMeasured(t *testing.T) {
	exampleFolder(t)
	trained(t, "run")
	var e evaluation
	if err := json.Unmarshal([]byte(ok(t, "eval", "--checkpoint", "run/last.ckpt", "--json")), &e); err != nil {
		t.Fatal(err)
	}
	var s rundir.Summary
	text, err := os.ReadFile("run/summary.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	if diff := e.Mean[0] - s.Last[0]; diff > 1e-9 || diff < -1e-9 || len(e.Test) != 2 || e.Queries != 2*(42-4) || e.Episode != 6 {
		t.Errorf("eval gives %+v; the training's last evaluation gave %v", e, s.Last[0])
	}
	table := ok(t, "eval", "--checkpoint", "run/last.ckpt", "--seed", "7", "--set", "episode.shots=1")
	for _, want := range []string{"with 1 molecule of each class as support, seed 7", "has_5", "has_6", "80 molecules ranked"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
}

// TestEvalWithoutAModelAndData checks that the message names what a user may write, and not a setting of the model that ships.
func TestEvalWithoutAModelAndData(t *testing.T) {
	t.Chdir(t.TempDir())
	const want = "pacia: without --checkpoint, the model that ships is measured on FS-Mol, and there is no folder fsmol; " +
		"write --checkpoint FILE, or --set data.path=FOLDER with FS-Mol, which pacia data fetch fsmol gets"
	wantFault(t, want, "eval")
	wantFault(t, want, "eval", "--results", "tables")
	wantFault(t, "pacia: mine: cannot be read: no such file or directory; check data.path", "eval", "--set", "data.path=mine")
}

// reached returns the figure of a run's last model, which stands for its weights.
func reached(t *testing.T, dir string) float64 {
	t.Helper()
	var e evaluation
	if err := json.Unmarshal([]byte(ok(t, "eval", "--checkpoint", dir+"/last.ckpt", "--json")), &e); err != nil {
		t.Fatal(err)
	}
	return e.Mean[0]
}
