package model_test

import (
	"slices"
	"strings"
	"testing"

	"pacia/harness/modeltest"
	"pacia/internal/setting"
	"pacia/model"
	"pacia/model/methods"
)

func specOf(t *testing.T, method string) model.Spec {
	t.Helper()
	s, err := methods.Find(method)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// small returns a preset of a method with narrow layers, no dropout, and the given
// settings, such as adapt.encoder=none.
func small(t *testing.T, method, preset string, settings ...string) model.Config {
	t.Helper()
	c := modeltest.Small(t, specOf(t, method), preset)
	all := setting.List("", c)
	for i, s := range slices.Concat([]string{"relation.layers=3", "relation.width=5", "hyper.dropout=0"}, settings) {
		name, value, _ := strings.Cut(s, "=")
		at := slices.IndexFunc(all, func(s setting.Setting) bool { return s.Name == name })
		switch {
		case at >= 0:
			if err := all[at].Set(&c, value); err != nil {
				t.Fatal(err)
			}
		case i >= 3: // the first three make a model narrow, and some methods lack them
			t.Fatalf("%s has no setting %s", method, name)
		}
	}
	return c
}

// unadapted are the settings of PACIA without hypernetworks.
var unadapted = []string{"adapt.encoder=none", "adapt.predictor=none"}

// tuners are the methods that are fine-tuned.
func tuners() (list []string) {
	for _, s := range methods.All {
		if s.Traits.Tunes {
			list = append(list, s.Name)
		}
	}
	return list
}

// newTest makes a model that is dropped at the end.
func newTest(t *testing.T, c model.Config, o model.Options) *model.Model {
	t.Helper()
	return modeltest.New(t, specOf(t, c.Method), c, o)
}
