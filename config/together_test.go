package config

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pacia/run/rundir"
)

// TestPresetsHaveTheirSettings compares all presets, including names of earlier versions,
// with the settings that each had when every combination was a file.
func TestPresetsHaveTheirSettings(t *testing.T) {
	golden, err := os.ReadFile("testdata/presets.txt")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(golden)) {
		name, want, _ := strings.Cut(strings.TrimSpace(line), ": ")
		all, err := fromPresets(name)
		if err != nil {
			t.Error(err)
			continue
		}
		last := map[string]string{}
		for _, a := range all {
			last[a.name] = a.name + "=" + a.text
		}
		if got := strings.Join(slices.Sorted(maps.Values(last)), " "); got != want {
			t.Errorf("preset %s has\n%s\nwant\n%s", name, got, want)
		}
		checked++
	}
	if checked < len(former()) {
		t.Errorf("%d presets were compared, and %d names are of earlier versions", checked, len(former()))
	}
	for name, parts := range former() {
		for part := range strings.SplitSeq(parts, ", ") {
			if slices.Contains(Presets(), name) || !slices.Contains(Presets(), part) {
				t.Errorf("former.yaml: %s stands for %s: the name must not be that of a file, its parts must be", name, part)
			}
		}
	}
}

// Later presets win, in a file and in --preset.
func TestPresetsTogether(t *testing.T) {
	clean(t)
	file := write(t, "preset: tox21-10shot, shots-16, without-label\n")
	for _, o := range []Options{{File: file}, {Preset: "tox21-10shot,shots-16,without-label"}} {
		o.Set = []string{"data.path=x.csv"}
		c := load(t, o)
		if labels := rundir.SettingsOf(c).Get("model.hyper.labels"); c.Data.Split != "tox21" || c.Episode.Shots != 16 || labels != "false" {
			t.Errorf("split %s, %d shots, labels %s; want tox21, 16, false", c.Data.Split, c.Episode.Shots, labels)
		}
	}
	_, err := Load(Options{Preset: "tox21-10shot,depht-3"})
	expect(t, "preset", err, `unknown preset "depht-3"; the nearest known one is depth-3; pacia config --list shows all`)
}

// Presets evaluate at most every 250 steps: an evaluation of Tox21 takes as long as
// hundreds of steps. Only the preset exact evaluates as often as the publication.
func TestPresetsEvaluateSeldom(t *testing.T) {
	clean(t)
	exact := 0
	for _, p := range Presets() {
		every := load(t, Options{Preset: p, Set: []string{"data.path=x"}}).Train.EvaluateEvery
		if p == "exact" {
			if exact++; every > 250 {
				t.Errorf("%s evaluates every %d steps", p, every)
			}
		} else if every > 0 && every < 250 {
			t.Errorf("%s evaluates every %d steps, want 250 or more", p, every)
		}
	}
	if exact == 0 {
		t.Error("no preset evaluates as published")
	}
}

// TestSettingsWithoutAnEffect: what a user writes without an effect is refused, with what to write. In a
// preset, and in the settings of a model that exists, it is ignored, and so is the preset's own value.
func TestSettingsWithoutAnEffect(t *testing.T) {
	clean(t)
	for _, tt := range []struct{ set, want string }{
		{"model.input_dropout=0.2", `--set model.input_dropout="0.2" has no effect: model.encoder=gin reads no fingerprints; write 0`},
		{"model.input_dropout=0.2 model.encoder=minimol", "model.encoder=minimol reads no fingerprints"},
		{"model.input_dropout=0.2 model.encoder=gin+fingerprint", ""},
		{"model.input_dropout=0.2 model.encoder=fingerprint", ""},
		{"model.input_dropout=0", ""},
		{"model.joined=64", "model.encoder=gin joins no fingerprints; write 0"},
		{"model.joined=64 model.encoder=gin+fingerprint", ""},
		{"model.preset=reference model.hyper.width=8", `"8" has no effect: model.hyper.form=split has hidden layers of model.width`},
		{"model.preset=reference model.hyper.query=8", "model.hyper.form=split has hidden layers of model.relation.width"},
		{"model.preset=reference model.hyper.dropout=0.3", "model.hyper.form=split has no dropout; write 0, or model.hyper.form=joint"},
		{"model.preset=reference model.hyper.dropout=0", ""},
		{"model.hyper.form=split model.hyper.dropout=0.1", ""},
		{"model.method=kernel train.swap_classes=true", "model.method=kernel learns which class of each training task is active; write false"},
		{"train.swap_classes=true", ""},
		{"model.hyper.width=8 model.hyper.query=8 model.hyper.dropout=0.3", ""},
	} {
		_, err := Load(Options{Set: append([]string{"data.path=x"}, strings.Fields(tt.set)...)})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v, want %q", tt.set, err, tt.want)
		}
	}
	_, err := Load(Options{File: write(t, "model: {input_dropout: 0.2}\n"), Set: []string{"data.path=x"}})
	if err == nil || !strings.Contains(err.Error(), "my.yaml: row 1: model.input_dropout") {
		t.Errorf("a file: got %v, want its row", err)
	}
	load(t, Options{Preset: "model", Set: []string{"data.path=x", "model.encoder=gin"}})
	base := load(t, Options{Set: []string{"data.path=x"}})
	base.Model.InputDropout = 0.2
	load(t, Options{Base: &base, Set: []string{"train.episodes=3"}})
}

// TestPretrainedNeedsAnEncoder: a preset's model.pretrained is ignored for a method without an encoder. A
// user's is refused.
func TestPretrainedNeedsAnEncoder(t *testing.T) {
	clean(t)
	for _, method := range []string{"forest", "similarity", "gp", "probe"} {
		set := []string{"data.path=x", "model.method=" + method}
		if c := load(t, Options{Preset: "pretrained", Set: set}); c.Model.Pretrained != "" {
			t.Errorf("%s: model.pretrained is %q", method, c.Model.Pretrained)
		}
		_, err := Load(Options{Set: append(set, "model.pretrained=x.pth")})
		expect(t, method, err, "model.pretrained: model.method="+method+" has no encoder to start from; leave it out")
	}
	load(t, Options{Set: []string{"data.path=x", "model.method=probe", "model.vectors=taught", "model.pretrained=x.pth"}})
}
