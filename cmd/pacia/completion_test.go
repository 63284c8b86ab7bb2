package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// completed returns the completions of a command line.
func completed(t *testing.T, args ...string) (words []string, directive string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(ok(t, append([]string{"__complete"}, args...)...)), "\n")
	for _, line := range lines[:len(lines)-1] {
		word, _, _ := strings.Cut(line, "\t")
		words = append(words, word)
	}
	return words, lines[len(lines)-1]
}

func TestCompletion(t *testing.T) {
	inFolder(t, "assay.csv", "Compound;smiles;IC50 (nM)\na;CCO;12\nb;CCN;7\n")
	for _, tt := range []struct {
		args string
		want string // among the words
		not  string
		only bool // want is the only one
	}{
		{args: "train --preset tox21-1", want: "tox21-10shot", not: "sider-10shot"},
		{args: "train --set train.episodes", want: "train.episodes=", only: true},
		{args: "train --set model.encoder=grap", want: "model.encoder=graphsage", only: true},
		{args: "train --set model.method=", want: "model.method=kernel", not: "kernel"},
		{args: "train --set train.shuffle_labels=", want: "train.shuffle_labels=true", not: "train.shuffle_labels="},
		{args: "train --set device=", want: "device=cuda"},
		{args: "train --set data.path=", want: "data.path=embedded"},
		{args: "predict --method sim", want: "similarity", only: true},
		{args: "predict --device ", want: "cpu"},
		{args: "predict --support assay.csv --label ", want: "IC50 (nM)"},
		{args: "predict --support none.csv --label "},
		{args: "pretrain --task ", want: "masking"},
		{args: "pretrain library.csv --encoder g", want: "gat", not: "pna"},
		{args: "data prepare --encoder p", want: "pna"},
		{args: "data fetch t", want: "tox21", not: "sider"},
		{args: "data inspect emb", want: "embedded", only: true},
		{args: "data inspect assay.csv --smiles ", want: "smiles"},
		{args: "config --explain train.finet", want: "train.finetune"},
		{args: "version --log-format ", want: "json"},
		{args: "sweep ", want: "yaml"},                 // the ending of its files
		{args: "eval --checkpoint ", want: "ckpt"},     // the same
		{args: "calib", want: "calibrate", only: true}, // a command, by cobra
	} {
		words, _ := completed(t, strings.Split(tt.args, " ")...)
		if tt.want != "" && !slices.Contains(words, tt.want) || tt.want == "" && len(words) > 0 || tt.only && len(words) != 1 {
			t.Errorf("pacia %s: offered %q, want %q", tt.args, words, tt.want)
		}
		if tt.not != "" && slices.Contains(words, tt.not) {
			t.Errorf("pacia %s: %q is offered", tt.args, tt.not)
		}
	}
	// After NAME= no blank: the value follows.
	if _, directive := completed(t, "train", "--set", "model.w"); directive != ":38" {
		t.Errorf("the directive after a setting's name is %s, want 2 + 4 + 32: no blank, no files, this order", directive)
	}
}

// TestManual checks that each visible command has a page, and that pages do not depend on the day.
func TestManual(t *testing.T) {
	inFolder(t, "x", "")
	ok(t, "man", "manual")
	page, err := os.ReadFile("manual/man1/pacia-predict.1")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`.TH "PACIA-PREDICT"`, "pacia-predict - Rank a library", `--active-below`, "Jan 1970"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page of predict lacks %q", want)
		}
	}
	if _, err := os.Stat("manual/man1/pacia-man.1"); err == nil {
		t.Error("there is a page of a command that is hidden")
	}
	wantFault(t, "pacia: pacia man needs a folder; write pacia man FOLDER", "man")
}
