package report

import (
	"slices"
	"strings"
	"testing"

	"pacia/run/rundir"
)

// TestLabelsOfMethods: groups of several methods are labelled by the titles of the methods and the settings in
// which they differ from others of the same method. A note reports the settings that differ between
// methods.
func TestLabelsOfMethods(t *testing.T) {
	of := func(settings ...rundir.Setting) Group { return Group{Runs: []rundir.Run{{Settings: settings}}} }
	set := func(name, value string) rundir.Setting { return rundir.Setting{Name: name, Value: value} }
	groups := []Group{
		of(set(methodSetting, "pacia"), set("model.relation.layers", "3"), set("train.learning_rate", "0.1")),
		of(set(methodSetting, "proto"), set("model.metric", "euclidean"), set("train.learning_rate", "0.2")),
		of(set(methodSetting, "proto"), set("model.metric", "dot"), set("train.learning_rate", "0.1")),
		of(set(methodSetting, "later"), set("train.learning_rate", "0.1")),
	}
	names, _ := differing(groups)
	notes := label("tox21", groups, names, nil)
	var got []string
	for _, g := range groups {
		got = append(got, g.Label)
	}
	want := []string{"PACIA", "ProtoNet, model.metric=euclidean, train.learning_rate=0.2", "ProtoNet, model.metric=dot, train.learning_rate=0.1", "later"}
	if !slices.Equal(got, want) {
		t.Errorf("labels %q,\nwant %q", got, want)
	}
	if want := []string{"PACIA; later have train.learning_rate=0.1."}; !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
	single := groups[1:3]
	names, _ = differing(single)
	if label("tox21", single, names, nil); single[1].Label != "model.metric=dot, train.learning_rate=0.1" {
		t.Errorf("with one method: %q", single[1].Label)
	}
	texts := Names{"ProtoNet": "class means", "train.learning_rate=0.1": "rate 10⁻¹", "model.metric=euclidean": "distances"}
	if label("tox21", single, names, texts); single[1].Label != "model.metric=dot, rate 10⁻¹" || single[0].Label != "distances, train.learning_rate=0.2" {
		t.Errorf("with texts of the user: %q, %q", single[0].Label, single[1].Label)
	}
	names, _ = differing(groups)
	if label("tox21", groups, names, texts); groups[2].Label != "class means, model.metric=dot, rate 10⁻¹" {
		t.Errorf("with texts for methods: %q", groups[2].Label)
	}
}

// TestShorten: names in legends are labels, unless these are equal as far as a legend has room. Then they are the
// parts in which a group differs from most.
func TestShorten(t *testing.T) {
	of := func(parts ...string) Group { return Group{Label: strings.Join(parts, ", "), parts: parts} }
	long := "model.a_setting_with_a_long_name=and-a-long-value"
	groups := []Group{of(long, "b=1", "c=1"), of(long, "b=2", "c=1"), of(long, "b=1", "c=2"), of(long, "b=1", "c=1", "d=0")}
	names := func() (all []string) {
		for _, g := range groups {
			all = append(all, g.Short)
		}
		return all
	}
	if !shorten(groups) || !slices.Equal(names(), []string{asMost, "b=2", "c=2", "d=0"}) {
		t.Errorf("names %q", names())
	}
	groups = []Group{of("PACIA", long, "b=1"), of("PACIA", long, "b=2")}
	if !shorten(groups) || !slices.Equal(names(), []string{"PACIA, b=1", "PACIA, b=2"}) {
		t.Errorf("names %q", names())
	}
	groups = []Group{of("a=1", long), of("a=2", long)}
	if shorten(groups) || groups[1].Short != groups[1].Label {
		t.Errorf("names %q, want the labels", names())
	}
	s := Section{Groups: groups, Numbers: true}
	if rows := s.results().Rows(); rows[1][0] != "2: "+groups[1].Label || s.legendNote() == "" {
		t.Errorf("rows %q", rows)
	}
}
