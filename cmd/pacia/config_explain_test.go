package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"pacia/config"
)

// docs/settings.md equals the output of the program.
func TestSettingsDocumentIsFresh(t *testing.T) {
	text, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != ok(t, "config", "--explain", "--markdown") {
		t.Error("docs/settings.md is stale; write pacia config --explain --markdown > docs/settings.md")
	}
}

// Every setting has a meaning, a range and an environment variable.
func TestEverySettingIsExplained(t *testing.T) {
	var all []config.Explanation
	if err := json.Unmarshal([]byte(ok(t, "config", "--explain", "--json")), &all); err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.Meaning == "" || e.Range == "" || e.Variable == "" || e.Section() != "" && e.Group == "" {
			t.Errorf("%s lacks something: %+v", e.Name, e)
		}
	}
	if len(all) != len(config.Names()) {
		t.Errorf("%d settings of %d are explained", len(all), len(config.Names()))
	}
	text := ok(t, "config", "--explain")
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(line) > width+1 {
			t.Errorf("wider than %d columns: %s", width, line)
		}
	}
}

func TestExplainChooses(t *testing.T) {
	golden(t, "config_explain", ok(t, "config", "--explain", "model.hyper.width", "train.finetune", "--set", "model.preset=reference"))
	if text := ok(t, "config", "--explain", "train.learning_rate", "--set", "model.preset=reference"); !strings.Contains(text, "train.learning_rate = 0.0006\n") {
		t.Errorf("the default is not that of the preset:\n%s", text)
	}
	if text := ok(t, "config", "--explain", "model.adaptation.rate"); !strings.Contains(text, " = 0.05\n") || !strings.Contains(text, " · 0.1 with par · ") {
		t.Errorf("the default of each method is missing:\n%s", text)
	}
	// With a method chosen, its default comes first.
	if text := ok(t, "config", "--explain", "model.adaptation.rate", "--set", "model.method=par"); !strings.Contains(text, " = 0.1\n") || !strings.Contains(text, " 0.05 with maml") {
		t.Errorf("the default of par is not the first:\n%s", text)
	}
	wantFault(t, "pacia: unknown setting train.episode; the nearest known one is train.episodes", "config", "--explain", "train.episode")
	wantFault(t, "pacia: pacia config: --json and --markdown go with --explain", "config", "--json")
}
