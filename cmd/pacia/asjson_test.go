package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// withoutJSON lists the commands without --json.
var withoutJSON = map[string]bool{"completion bash": true, "completion zsh": true, "completion fish": true, "completion powershell": true, "man": true, "help": true, "serve": true, "score": true}

// TestEveryCommandHasJSON checks that all other commands have --json, and that docs/programs.md
// describes it.
func TestEveryCommandHasJSON(t *testing.T) {
	document, err := os.ReadFile("../../docs/programs.md")
	if err != nil {
		t.Fatal(err)
	}
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, below := range c.Commands() {
			visit(below)
		}
		name := strings.TrimPrefix(c.CommandPath(), "pacia ")
		if c.HasSubCommands() || c.Hidden || withoutJSON[name] {
			return
		}
		if c.Flags().Lookup("json") == nil {
			t.Errorf("pacia %s has no --json", name)
		}
		if !strings.Contains(string(document), "| `"+name) {
			t.Errorf("docs/programs.md does not describe the JSON of pacia %s", name)
		}
	}
	visit(newRoot(&logging{}))
}

// object runs a command and decodes its output, which must be one JSON object.
func object(t *testing.T, args ...string) map[string]any {
	t.Helper()
	text := ok(t, append(args, "--json")...)
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("pacia %s: %v in\n%s", strings.Join(args, " "), err, text)
	}
	return v
}

// TestResultsAsJSON checks, from training to the report, that each result is one object, with
// the figures of the files.
func TestResultsAsJSON(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	run := object(t, "train", "--config", "small.yaml", "--out", "run")
	var summary map[string]any
	text, err := os.ReadFile("run/summary.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &summary); err != nil {
		t.Fatal(err)
	}
	if run["folder"] != "run" || run["auc_last"] == nil || run["auc_last"] != summary["auc_last"] {
		t.Errorf("train: %v, want what summary.json has: %v", run, summary)
	}
	all := object(t, "train", "--config", "small.yaml", "--out", "two", "--set", "train.replicas=2")
	if seeds, _ := all["seeds"].([]any); len(seeds) != 2 || all["folder"] != "two" {
		t.Errorf("train with two replicas: %v", all)
	}
	report := object(t, "report", "two", "--out", "report", "--no-scores")
	section, _ := report["sections"].([]any)
	if len(section) != 1 || !strings.Contains(strings.ToLower(ok(t, "report", "two", "--out", "report", "--no-scores")), "mean ± standard deviation") {
		t.Fatalf("report: %v", report)
	}
	group := section[0].(map[string]any)["configurations"].([]any)[0].(map[string]any)
	last := group["last"].(map[string]any)
	if group["seeds"] != 2.0 || last["mean"] != all["auc_last"].(map[string]any)["mean"] || last["high"].(float64) <= last["mean"].(float64) || group["published"] != nil {
		t.Errorf("report: %v, want the mean of %v", group, all["auc_last"])
	}
	put(t, "s.yaml", "config: small.yaml\nseeds: [0, 1]\n")
	table := object(t, "sweep", "s.yaml", "--out", "sweep", "--status")
	if runs := table["runs"].([]any); len(runs) != 2 || table["counts"].(map[string]any)["waiting"] != 2.0 || runs[0].(map[string]any)["of_episodes"] != 6.0 {
		t.Errorf("sweep --status: %v", table)
	}
	if e := object(t, "export", "run/best.ckpt", "--out", "m.safetensors"); e["out"] != "m.safetensors" || e["tensors"].(float64) < 10 {
		t.Errorf("export: %v", e)
	}
	if p := object(t, "data", "prepare", "library.csv", "--cache", "cache"); p["molecules"] != 42.0 || p["tasks"] != 7.0 {
		t.Errorf("data prepare: %v", p)
	}
	if e := object(t, "pretrain", "library.csv", "--out", "encoder", "--epochs", "1", "--width", "8", "--layers", "1"); e["encoder_file"] != "encoder/encoder.safetensors" || e["steps_done"].(float64) < 1 {
		t.Errorf("pretrain: %v", e)
	}
}
