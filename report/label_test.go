package report

import (
	"slices"
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
	notes := label("tox21", groups, names)
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
	if label("tox21", single, names); single[1].Label != "model.metric=dot, train.learning_rate=0.1" {
		t.Errorf("with one method: %q", single[1].Label)
	}
}
