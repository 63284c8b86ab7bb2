package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacia/harness/chains"
)

// This test reports two configurations with two seeds each, from runs and from
// replicas. The best models are measured again, with the same figures as the runs
// recorded.
func TestReportOfRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	exampleFolder(t)
	trained(t, "two", "--set", "train.replicas=2")
	trained(t, "a", "--set", "model.adapt.encoder=none")
	trained(t, "b", "--set", "model.adapt.encoder=none", "--set", "seed=1")
	r := pacia("report", "two", "a", "b", "--out", "out")
	if notes := strings.Count(r.out, "note: "); r.code != 0 || notes != strings.Count(r.out, "note: Groups of molecules by depth are not drawn: ") {
		t.Fatalf("exit code %d, %s\n%s", r.code, r.err, r.out)
	}
	for _, want := range []string{"library, 2-shot: 2 configurations", "\nmodel.adapt.encoder=N     2      ", "\nmodel.adapt.encoder=none  2      "} {
		if !strings.Contains(r.out, want) {
			t.Errorf("the table lacks %q:\n%s", want, r.out)
		}
	}
	for _, name := range []string{"report.html", "report.md", "runs.csv", "results.csv", "tasks.csv",
		"study.json", "figures/library-2shot-embeddings.svg", "figures/library-2shot-similarities.png", "figures/library-2shot-cases.svg", "figures/library-2shot-graph-q1.png",
		"figures/library-2shot-strategies.svg", "figures/library-2shot-learning.svg", "figures/library-2shot-tasks.png", "figures/library-2shot-rankings-group2.svg", "figures/library-2shot-depths-group1.png"} {
		if _, err := os.Stat(filepath.Join("out", name)); err != nil {
			t.Error(err)
		}
	}
	// Another file in place of the data is detected.
	put(t, "library.csv", strings.Replace(chains.Library(), "CO,1,0", "CO,0,1", 1))
	r = pacia("report", "a", "--out", "again")
	want := "pacia: library, 2-shot: curves and depths of a: library.csv: is not the file that the run was trained on; " +
		"write --set data.path=FILE where that has moved; --no-scores leaves them out\n"
	if r.code != exitBadInput || !strings.HasSuffix(r.err, want) {
		t.Errorf("with other data: exit code %d, %s\nwant %s", r.code, r.err, want)
	}
	if _, err := os.Stat("again"); err == nil {
		t.Error("a report was begun")
	}
}

// A study is of the run of --study and the task of --task. A missing one is reported before
// anything is measured.
func TestReportStudies(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	trained(t, "a")
	trained(t, "b", "--set", "seed=1")
	wantFault(t, "pacia: library.csv: is not a folder; choose another --out",
		"report", "a", "--out", "library.csv")
	if r := pacia("report", "a", "b", "--study", "b/", "--task", "has_6", "--out", "out"); r.code != 0 || !strings.Contains(r.err, "looking into b/best.ckpt") {
		t.Fatalf("exit code %d, %s", r.code, r.err)
	}
	text, err := os.ReadFile("out/report.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "Task has_6: best.ckpt of b, seed 1, after episode "; !strings.Contains(string(text), want) {
		t.Errorf("report.md lacks %q", want)
	}
	if err := os.Remove("b/best.ckpt"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, want string }{
		{"--task x", "--task x is not a test task of the run; write one of has_5, has_6"},
		{"--study c", "--study c is none of the finished runs of the report; write the folder of one of them"},
		{"--study b", "b/best.ckpt: the run has no best model any more; name another run with --study"},
		{"--no-scores --task has_5", "--task and --no-scores exclude each other; leave one of them out"},
	} {
		wantFault(t, "pacia: "+tt.want, strings.Fields("report a b --out no "+tt.args)...)
	}
	if _, err := os.Stat("no"); err == nil {
		t.Error("a report was begun")
	}
}

// A study finds its molecules in a data file of any form.
func TestReportOfSemicolons(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "library.txt", strings.ReplaceAll(strings.Replace(chains.Library(), "smiles", "Canonical SMILES", 1), ",", ";"))
	trained(t, "a", "--set", "data.path=library.txt")
	if out := ok(t, "report", "a", "--out", "out"); strings.Contains(out, "are left out") {
		t.Errorf("the report leaves something out:\n%s", out)
	}
	if text, err := os.ReadFile("out/report.md"); err != nil || !strings.Contains(string(text), "best.ckpt of a") {
		t.Errorf("report.md does not look into the model (%v)", err)
	}
}

func TestReportFaults(t *testing.T) {
	exampleFolder(t)
	for _, tt := range []struct{ args, want string }{
		{"report --out x", "pacia report needs folders of runs; write pacia report RUN… --out FOLDER"},
		{"report x", "pacia report needs --out; write --out FOLDER: it gets the report"},
		{"report none --out x", "none: is not the folder of a run: no such file or directory; check its name"},
		{"report cache --out x", "cache: is not the folder of a run: no such file or directory; check its name"},
	} {
		wantFault(t, "pacia: "+tt.want, strings.Fields(tt.args)...)
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a report was begun")
	}
}

// A report takes a run by FS-Mol's protocol, which has no ROC-AUC to compare with, and a run of
// another method. It has a line for each figure that cannot be drawn.
func TestReportOfOtherProtocols(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	trained(t, "once", "--set", "train.metric=delta_auprc", "--set", "train.test_every=last", "--set", "train.evaluation_draws=2", "--set", "episode.support=8")
	trained(t, "tuned", "--set", "model.method=finetune")
	r := pacia("report", "tuned", "once", "--study", "once", "--out", "out")
	if r.code != 0 || strings.Contains(r.out, "are left out") {
		t.Fatalf("exit code %d, %s\n%s", r.code, r.err, r.out)
	}
	for _, want := range []string{
		"library, support 8, ΔAUPRC: 1 configuration of test ΔAUPRC (%)", "library, 2-shot: 1 configuration of test ROC-AUC (%)",
		"note: Depths of tuned are not drawn: with model.method finetune no query has a depth of its own.",
		"note: Where the column of best on test is empty, the test tasks were evaluated once, at the end, with the model that was selected.",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("the table lacks %q:\n%s", want, r.out)
		}
	}
	for _, name := range []string{"library-2shot-rankings.svg", "library-delta-support8-learning.svg", "library-delta-support8-rankings.svg", "library-delta-support8-embeddings.svg"} {
		if _, err := os.Stat(filepath.Join("out", "figures", name)); err != nil {
			t.Error(err)
		}
	}
	for _, asked := range [][]string{{"--study", "tuned"}, {"--task", "has_5"}} {
		r = pacia(append([]string{"report", "tuned", "--out", "no"}, asked...)...)
		want := "figures that look into the model of tuned: a model of model.method finetune has no relation graph to look into; "
		if r.code != exitBadInput || !strings.Contains(r.err, want) {
			t.Errorf("%s: exit code %d, %s", asked, r.code, r.err)
		}
	}
	r = pacia("report", "tuned", "--out", "tuned-alone")
	if want := "note: The figures that look into the model of tuned are left out: a model of model.method finetune has no relation graph to look into.\n"; r.code != 0 || !strings.Contains(r.out, want) {
		t.Errorf("exit code %d, %s\n%s", r.code, r.err, r.out)
	}
}
