package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacia/harness/chains"
)

// TestRunsWorkFromAnyFolder checks that a run finds its data set from another folder, also beside another file of the same
// name, and where both folders have moved together.
func TestRunsWorkFromAnyFolder(t *testing.T) {
	exampleFolder(t)
	home, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	trained(t, "run")
	text, err := os.ReadFile("run/config.yaml")
	want := "path: library.csv\n    absolute_path: " + filepath.Join(home, "library.csv") + "\n"
	if err != nil || !strings.Contains(string(text), want) {
		t.Errorf("config.yaml lacks %q (%v):\n%s", want, err, text)
	}
	before := reached(t, "run")
	t.Chdir(t.TempDir())
	put(t, "library.csv", strings.Replace(chains.Library(), "CO,1,0", "CO,0,1", 1))
	run := filepath.Join(home, "run")
	if got := reached(t, run); got != before {
		t.Errorf("eval from another folder gives %v, at home %v", got, before)
	}
	if out := ok(t, "report", run, "--out", "report"); strings.Contains(out, "are left out") {
		t.Errorf("the report leaves something out:\n%s", out)
	}
	ok(t, "train", "--resume", "--out", run, "--set", "train.episodes=8")
	r := pacia("train", "--resume", "--out", run, "--set", "train.episodes=9", "--set", "data.path=library.csv")
	if r.code != exitBadInput || !strings.Contains(r.err, "trained on other data than library.csv") {
		t.Errorf("with the other file: exit code %d, %s", r.code, r.err)
	}
	exported := filepath.Join(home, "model.safetensors")
	ok(t, "export", filepath.Join(run, "best.ckpt"), "--out", exported)
	if text, err := os.ReadFile(exported); err != nil || strings.Contains(string(text), home) {
		t.Errorf("the exported model has the path %s (%v)", home, err)
	}

	if err := os.Remove("library.csv"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(home, "library.csv"), "elsewhere.csv"); err != nil {
		t.Fatal(err)
	}
	gone := "the data set of the run was " + filepath.Join(home, "library.csv") + ", which does not exist any more, " +
		"and this folder has no library.csv; " +
		"write --set data.path=FILE where it is now"
	checkpoint := filepath.Join(run, "best.ckpt")
	wantFault(t, "pacia: "+gone, "eval", "--checkpoint", checkpoint)
	wantFault(t, "pacia: "+gone, "train", "--resume", "--out", run, "--set", "train.episodes=9")
	r = pacia("report", run, "--out", "again")
	if _, err := os.Stat("again"); r.code != exitBadInput || !strings.Contains(r.err, gone+"; --no-scores leaves them out\n") || err == nil {
		t.Errorf("report: exit code %d, %s", r.code, r.err)
	}
	ok(t, "report", run, "--no-scores", "--out", "plain")
	ok(t, "eval", "--checkpoint", checkpoint, "--set", "data.path=elsewhere.csv")
	ok(t, "report", run, "--set", "data.path=elsewhere.csv", "--out", "again")
	if err := os.Rename("elsewhere.csv", "library.csv"); err != nil {
		t.Fatal(err)
	}
	ok(t, "eval", "--checkpoint", checkpoint)
	ok(t, "train", "--resume", "--out", run, "--set", "train.episodes=10")
}
