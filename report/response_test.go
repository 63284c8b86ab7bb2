package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// drawnOf reads runs, draws their records and returns the names of the figures other than
// learning curves and tasks.
func drawnOf(t *testing.T, runs ...string) (names []string, r *Report) {
	t.Helper()
	r, err := Read(runs, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Draw(Measures{}); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.figures() {
		name := strings.TrimPrefix(f.Name, "tox21-")
		if !strings.Contains(name, "learning") && !strings.Contains(name, "tasks") {
			names = append(names, name)
		}
	}
	return names, r
}

// TestFiguresOverSettings: the settings in which runs differ determine the figures.
func TestFiguresOverSettings(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const none = "model.adapt.predictor=none"
	for _, tt := range []struct {
		name string
		runs []string // settings of each run
		want string
	}{
		{"one", []string{""}, ""},
		{"depths", []string{"", none + " model.relation.layers=1", none + " model.relation.layers=2"}, "10shot-over-model_relation_layers"},
		{"shots", []string{"", "episode.shots=1", "episode.shots=16"}, "over-episode_shots"},
		{"shots of two encoders", []string{"", "episode.shots=1", "model.encoder=gat", "model.encoder=gat episode.shots=1"},
			"10shot-by-model_encoder 1shot-by-model_encoder over-episode_shots"},
		{"no line", []string{"", "model.encoder=gat episode.shots=1"}, ""},
		{"strategies", []string{"", none, "model.adapt.encoder=none"}, "10shot-strategies"},
		{"other adaptations", []string{"", "model.adapt.encoder=ND"}, "10shot-by-model_adapt_encoder"},
		{"fine-tuning", []string{"", "model.method=finetune"}, "10shot-strategies"},
		{"grid", []string{"", none, "model.adapt.encoder=none", "model.adapt.encoder=none " + none}, "10shot-strategies 10shot-modulations"},
		{"random", []string{"train.episodes=100 model.encoder=gat", "train.episodes=200"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			var runs []string
			for i, settings := range tt.runs {
				for seed := range uint64(2) {
					dir := fmt.Sprintf("run-%d-%d", i, seed)
					fake(t, dir, seed, append([]string{"model.method=pacia", "model.relation.layers=5"}, strings.Fields(settings)...)...)
					runs = append(runs, dir)
				}
			}
			names, _ := drawnOf(t, runs...)
			if got := strings.Join(names, " "); got != tt.want {
				t.Errorf("figures %q, want %q", got, tt.want)
			}
		})
	}
}

// TestLinesAndLevels: the runs of a line share all other settings. A model with adapted depth is a level if it
// otherwise has the settings of a line.
func TestLinesAndLevels(t *testing.T) {
	t.Chdir(t.TempDir())
	var runs []string
	add := func(settings string) {
		dir := fmt.Sprintf("run-%d", len(runs))
		fake(t, dir, 0, append([]string{"model.relation.layers=5"}, strings.Fields(settings)...)...)
		runs = append(runs, dir)
	}
	for _, encoder := range []string{"gin", "gat"} {
		for _, l := range []string{"1", "2", "10"} {
			add("model.adapt.predictor=none model.encoder=" + encoder + " model.relation.layers=" + l)
		}
	}
	add("model.encoder=gat")
	add("model.encoder=gcn") // no line has its settings
	r, err := Read(runs, false)
	if err != nil {
		t.Fatal(err)
	}
	groups := r.Sections[0].Groups
	var lines, single []settingFamily
	for _, a := range alikeExcept(groups, relationSetting) {
		if len(a.groups) > 1 {
			lines = append(lines, a)
		} else {
			single = append(single, a)
		}
	}
	if got := new(drawer).lineLabels(lines, relationSetting); !slices.Equal(got, []string{"model.encoder=gin", "model.encoder=gat"}) {
		t.Errorf("lines %q", got)
	}
	levels := adaptedDepths(lines, single, chosen(groups))
	if len(single) != 2 || len(levels) != 1 || levels[0].Name != "depth adapted by D, at most 5 layers: 80.00 %" || levels[0].Mean != 0.8 {
		t.Errorf("%d single, levels %+v", len(single), levels)
	}
	if names, numeric := differing(groups); !numeric[relationSetting] || numeric["model.encoder"] || len(names) != 3 {
		t.Errorf("differing %v, numeric %v", names, numeric)
	}
}

// TestLinesOfMethods: methods that also differ in other settings are labelled by their names.
func TestLinesOfMethods(t *testing.T) {
	t.Chdir(t.TempDir())
	var runs []string
	for _, settings := range []string{"model.method=pacia", "model.method=multitask model.adapt.encoder=none model.adapt.predictor=none"} {
		for _, k := range []string{"1", "10"} {
			dir := fmt.Sprintf("run-%d", len(runs))
			fake(t, dir, 0, append(strings.Fields(settings), "episode.shots="+k)...)
			runs = append(runs, dir)
		}
	}
	names, r := drawnOf(t, runs...)
	if want := []string{"over-episode_shots"}; !slices.Equal(names, want) {
		t.Errorf("figures %q, want %q", names, want)
	}
	groups := slices.Concat(r.Sections[0].Groups, r.Sections[1].Groups)
	if got := new(drawer).lineLabels(alikeExcept(groups, shotsSetting), shotsSetting); !slices.Equal(got, []string{"PACIA", "GNN-MT"}) {
		t.Errorf("lines %q", got)
	}
}
