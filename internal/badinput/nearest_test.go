package badinput_test

import (
	"strings"
	"testing"

	"pacia/internal/badinput"
)

func TestNearest(t *testing.T) {
	columns := []string{"smiles", "IC50 (nM)", "IC50 comment", "active", strings.Repeat("x", 1<<20)}
	settings := []string{"seed", "threads", "train.episode_unit", "train.episodes", "model.relation.keep"}
	for _, tt := range []struct {
		name  string
		known []string
		want  string
	}{
		{"ic50", columns, "IC50 (nM)"}, // it begins so, and is the shorter one
		{"actve", columns, "active"},
		{"smile", columns, "smiles"},
		{"nope", columns, ""},
		{"Ki", columns, ""},
		{"xx", columns, strings.Repeat("x", 1<<20)},
		{"train.episode", settings, "train.episodes"},
		{"unknown.key", settings, ""},
		{"thread", settings, "threads"},
		{"sed", settings, "seed"},
		{"s", settings, "seed"},
		{"", settings, ""},
		{strings.Repeat("x", 1<<20), settings, ""},
		{"seed", nil, ""},
	} {
		if got := badinput.Nearest(tt.name, tt.known); got != tt.want {
			t.Errorf("nearest to %.20q: %.20q, want %.20q", tt.name, got, tt.want)
		}
	}
	if got, want := badinput.Suggest("sed", settings, "see --help"), "the nearest known one is seed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := badinput.Suggest("nope", settings, "see --help"); got != "see --help" {
		t.Errorf("%q", got)
	}
}
