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
		if labels := rundir.Of(c).Get("model.hyper.labels"); c.Data.Split != "tox21" || c.Episode.Shots != 16 || labels != "false" {
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
