package report

import (
	"slices"
	"strings"
	"testing"

	"pacia/metrics"
	"pacia/run/rundir"
)

// TestPublished: the published figures are those of the paper. Models other than PACIA and its
// published ablations have none.
func TestPublished(t *testing.T) {
	settings := func(more ...string) rundir.Settings {
		s := rundir.Settings{{Name: "data.split", Value: "auto"}, {Name: "model.encoder", Value: "gin"}, {Name: "model.adapt.encoder", Value: "N"}, {Name: "model.adapt.predictor", Value: "D"}}
		for _, m := range more {
			name, value, _ := strings.Cut(m, "=")
			s = append(s.Without(name), rundir.Setting{Name: name, Value: value})
		}
		return s
	}
	for _, tt := range []struct {
		dataset string
		shots   int
		more    string
		want    float64
	}{
		{"tox21", 10, "", 84.25}, {"SIDER", 1, "", 77.72}, {"muv", 1, "model.pretrained=a", 69.26}, {"clean", 10, "data.split=toxcast", 72.38},
		{"tox21", 5, "", 0}, {"embedded", 10, "", 0}, {"tox21", 10, "model.adapt.encoder=none", 0}, {"tox21", 10, "train.shuffle_labels=true", 0},
		{"sider", 10, "model.hyper.labels=false", 76.91}, {"sider", 1, "model.hyper.layers=2", 76.56}, {"sider", 10, "model.hyper.layers=3", 82.40},
		{"sider", 10, "model.hyper.labels=false model.hyper.layers=2", 0}, {"sider", 10, "model.hyper.labels=false model.pretrained=a", 0},
		{"tox21", 10, "model.hyper.labels=false", 0}, {"sider", 10, "episode.support=20", 0},
	} {
		var got float64
		if p := findPublished(Trial{Dataset: tt.dataset, Shots: tt.shots, Metric: metrics.NameROCAUC}, 3, settings(strings.Fields(tt.more)...)); p != nil {
			got = p.Mean
		}
		if got != tt.want {
			t.Errorf("%s, %d-shot, %s: %v, want %v", tt.dataset, tt.shots, tt.more, got, tt.want)
		}
	}
	for _, tt := range []struct {
		trial Trial
		tasks int
		more  string
		want  float64
	}{
		{Trial{"fsmol", 0, 16, metrics.NameDeltaAUPRC}, 157, "", 23.6},
		{Trial{"my-FS-Mol", 0, 16, metrics.NameDeltaAUPRC}, 157, "model.readout=combined model.jump=concat episode.support=64", 23.6},
		{Trial{"clean", 0, 16, metrics.NameDeltaAUPRC}, 157, "data.split=FSMol", 23.6},
		{Trial{"fsmol", 0, 16, metrics.NameDeltaAUPRC}, 156, "", 0},
		{Trial{"fsmol", 0, 32, metrics.NameDeltaAUPRC}, 157, "", 0},
		{Trial{"fsmol", 16, 0, metrics.NameDeltaAUPRC}, 157, "", 0},
		{Trial{"fsmol", 0, 16, metrics.NameROCAUC}, 157, "", 0},
		{Trial{"fsmol", 0, 16, metrics.NameDeltaAUPRC}, 157, "model.encoder=gin", 0},
		{Trial{"fsmol", 0, 16, metrics.NameDeltaAUPRC}, 157, "model.adapt.predictor=none", 0},
		{Trial{"tox21", 0, 16, metrics.NameDeltaAUPRC}, 157, "", 0},
		{Trial{"tox21", 10, 0, metrics.NameDeltaAUPRC}, 3, "model.encoder=gin", 0},
	} {
		var got float64
		if p := findPublished(tt.trial, tt.tasks, settings(append([]string{"model.encoder=pna"}, strings.Fields(tt.more)...)...)); p != nil {
			got = p.Mean
		}
		if got != tt.want {
			t.Errorf("%+v, %d tasks, %s: %v, want %v", tt.trial, tt.tasks, tt.more, got, tt.want)
		}
	}
}

// TestPublishedOnlyBesideThePublishedModel: only the published model has a published figure. A model that was
// trained for fewer steps, or is narrower, has none, and a note gives the reason. The number of
// evaluations has no effect.
func TestPublishedOnlyBesideThePublishedModel(t *testing.T) {
	t.Chdir(t.TempDir())
	fake(t, "exact", 0)
	fake(t, "seldom", 1, "train.test_every=last")
	fake(t, "short", 2, "train.episodes=150")
	fake(t, "other", 3, "model.adapt.encoder=none")
	fake(t, "unlabelled", 4, "dataset=sider", "data.split=sider", "hash=2", "model.hyper.labels=false")
	fake(t, "mine", 5, "dataset=mine", "data.split=0-3/4", "hash=3")
	r, err := Read([]string{"exact", "seldom", "short", "other", "unlabelled", "mine"}, false)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range r.Sections {
		for _, row := range s.results().Rows() {
			got = append(got, row[5])
		}
	}
	want := []string{"PACIA 84.25 ± 0.31, Table 1 (tab:results)", "PACIA 84.25 ± 0.31, Table 1 (tab:results)", notPublished, notPublished, "w/o Label 76.91 ± 0.17, Table 8 (tab:abl-hyper1)", none}
	if !slices.Equal(got, want) {
		t.Errorf("published are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// Groups with the same departures share a note.
	a, b := Group{Label: "a", Unlike: true, Departures: rundir.Settings{{Name: "x", Value: "1"}, {Name: "y", Value: "2"}}}, Group{Label: "b", Unlike: true, Departures: rundir.Settings{{Name: "x", Value: "3"}, {Name: "y", Value: "2"}}}
	if notes := unpublishedNotes([]Group{a, b, {Label: "c"}}, []string{"x"}); len(notes) != 1 || notes[0] != "No published value stands beside a; b: with y=2 it is not the published model." {
		t.Errorf("notes %q", notes)
	}
	if notes := strings.Join(r.Sections[0].Notes, "\n"); !strings.Contains(notes, "No published value stands beside model.adapt.encoder=N, train.episodes=150: with train.episodes=150 it is not the published model.") || strings.Count(notes, "No published value") != 1 {
		t.Errorf("notes:\n%s", notes)
	}
}
