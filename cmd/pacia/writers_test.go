package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A writer is a command that writes files, with a command line that does so in writersFolder. Its output is called
// out, with an extension if it is a file.
type writer struct {
	line string
	// to lists the flags and arguments that name outputs.
	to []string
	// once is set if the command refuses its output of before.
	once bool
}

var writers = []writer{
	{line: "predict --support support.csv --candidates library.csv --method similarity --out out.csv --report page.html",
		to: []string{"out", "report"}},
	{line: "predict --support support.csv --candidates library.csv --method similarity --shards 2 --out out.csv",
		to: []string{"out", "report"}},
	{line: "next --support support.csv --candidates library.csv --method similarity --out out.csv", to: []string{"out", "report"}},
	{line: "eval --checkpoint run/best.ckpt --sizes 4 --draws 1 --results out", to: []string{"results"}},
	{line: "eval --checkpoint run/best.ckpt --predictions out.csv", to: []string{"predictions"}},
	{line: "calibrate --checkpoint kernel/best.ckpt --set threads=1 --out out.safetensors --diagram out.svg", to: []string{"out", "diagram"}},
	{line: "export run/best.ckpt --out out.safetensors", to: []string{"out"}},
	{line: "import exported.safetensors --out out.safetensors", to: []string{"out"}},
	{line: "remember --history past.csv --out out.safetensors", to: []string{"out"}},
	{line: "report run --no-scores --out out", to: []string{"out"}},
	{line: "train --config small.yaml --out out", to: []string{"out"}, once: true},
	{line: "train --config small.yaml --out out --resume", to: []string{"out"}},
	{line: "sweep one.yaml --out out", to: []string{"out"}},
	{line: "pretrain library.csv --width 8 --layers 2 --batch 8 --epochs 1 --threads 1 --out out", to: []string{"out"}, once: true},
	{line: "pretrain library.csv --width 8 --layers 2 --batch 8 --epochs 1 --threads 1 --out out --resume", to: []string{"out"}},
	{line: "bench --config small.yaml --steps 1 --serve out.npz", to: []string{"serve"}},
	{line: "man out", to: []string{"FOLDER"}},
	{line: "data convert library.csv out --split 0-4/5-6", to: []string{"TO"}, once: true},
	{line: "data convert tasks out.csv", to: []string{"TO"}, once: true},
	{line: "data targets assays out --new 1 --known 0 --smallest 1", to: []string{"TO"}, once: true},
	{line: "data prepare library.csv --cache out", to: []string{"cache"}},
	{line: "data fetch tox21 --mirror $MIRROR --unchecked --dir out", to: []string{"dir"}},
	{line: "data fetch fsmol --mirror $MIRROR --unchecked --dir out", to: []string{"dir"}},
	{line: "data example support.csv --shots 1 --out out", to: []string{"out"}},
	{line: "data inspect library.csv --cache cache --out out.csv", to: []string{"out", "cache"}},
}

// readOnly lists the other commands. They write nothing but the standard output.
var readOnly = []string{
	"config", "doctor", "help", "score", "serve", "version", "completion bash", "completion fish", "completion powershell", "completion zsh",
}

// inputs lists the flags and arguments that name what commands read.
var inputs = []string{
	"against", "before", "candidates", "checkpoint", "config", "exclude", "folds", "history", "init", "model", "outcome", "start", "study", "support", "values",
	"ASSAY", "CHECKPOINT", "FILE", "FROM", "RUN",
}

// noFiles lists flags whose values are neither files nor described by a word in capitals.
var noFiles = []string{"address", "decimal", "device", "encoder", "engine", "order", "split", "task"}

// TestEveryOutputIsKnown: a command or a flag that names a file is in the lists above, so that TestOutputs tries it.
func TestEveryOutputIsKnown(t *testing.T) {
	known := map[string][]string{}
	for _, w := range writers {
		known[w.command()] = append(known[w.command()], w.to...)
	}
	root := newRoot(&logging{})
	refuseWords(root)
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, below := range c.Commands() {
			visit(below)
		}
		name := strings.TrimPrefix(c.CommandPath(), "pacia ")
		if c.HasSubCommands() || slices.Contains(readOnly, name) {
			return
		}
		if known[name] == nil {
			t.Errorf("pacia %s: add it to writers or to readOnly", name)
		}
		for _, path := range paths(c) {
			if !slices.Contains(inputs, path) && !slices.Contains(known[name], path) {
				t.Errorf("pacia %s, %s: add it to inputs, or to a line of writers", name, path)
			}
		}
	}
	visit(root)
}

// command returns the name of the command.
func (w writer) command() string {
	all := strings.Fields(w.line)
	if all[0] == "data" {
		return "data " + all[1]
	}
	return all[0]
}

// paths returns the flags and arguments of a command that may name files.
func paths(c *cobra.Command) (all []string) {
	for _, word := range strings.Fields(c.Use)[1:] {
		if word = strings.TrimSuffix(word, "…"); word != "SET" && strings.ToUpper(word) == word {
			all = append(all, word)
		}
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		switch of, _ := pflag.UnquoteUsage(f); of {
		case "FILE", "FOLDER", "TABLE", "RUN", "PATH":
			all = append(all, f.Name)
		case "string":
			if !slices.Contains(noFiles, f.Name) {
				all = append(all, f.Name)
			}
		}
	})
	return all
}

// writersFolder makes a folder with what the lines of writers read, and returns it with a server for data fetch.
func writersFolder(t *testing.T) (dir, mirror string) {
	t.Helper()
	exampleFolder(t)
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	put(t, "plain.yaml", plain)
	put(t, "one.yaml", "config: small.yaml\nset: {train.episodes: 4}\nseeds: [0]\n")
	put(t, "past.csv", "smiles,A\nCCO,1\nCCCO,0\nCCN,1\nCCCBr,0\nCCCC,1\n")
	put(t, "support.csv", "smiles,label\nCCO,1\nCCCO,1\nCCN,0\nCCCBr,0\n")
	for name, text := range map[string]string{
		"train/CHEMBL1664615": "CCC,1\nOC,0\n", "train/CHEMBL760830": "CCCC,1\nCCN,0\n",
		"train/CHEMBL1": "CO,1\nOCC,1\n", "valid/CHEMBL2": "CF,0\n",
	} {
		path := filepath.Join("assays", name+".csv")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		put(t, path, "smiles,a\n"+text)
	}
	trained(t, "run")
	ok(t, "train", "--config", "plain.yaml", "--out", "kernel", "--set", "model.method=kernel")
	ok(t, "export", "run/best.ckpt", "--out", "exported.safetensors")
	ok(t, "data", "convert", "library.csv", "tasks", "--split", "0-4/5-6")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch filepath.Base(r.URL.Path) {
		case "fsmol.tar":
			_, _ = w.Write(archiveOf(t, filepath.Join(dir, "tasks")))
		case "fsmol-0.1.json":
			_, _ = fmt.Fprint(w, `{"train": [], "valid": [], "test": []}`)
		default:
			_, _ = fmt.Fprint(w, "NR-AR,mol_id,smiles\n1,TOX1,CCO\n0,TOX2,CCN\n")
		}
	}))
	t.Cleanup(server.Close)
	return dir, server.URL
}
