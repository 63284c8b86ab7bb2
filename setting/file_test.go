package setting_test

import (
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"pacia/setting"
)

// What Encode writes, Flatten reads: the same names, values and order as List.
func TestEncodeAndFlattenAgreeWithList(t *testing.T) {
	v := valid()
	v.Path, v.Cache = "C: #1 'x'.csv", "1e3"
	node, err := setting.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(node)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := setting.Flatten(text)
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, e := range entries {
		got = append(got, e.String())
	}
	for _, s := range setting.List("", v) {
		want = append(want, s.Name+"="+s.Value)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestFlattenKeepsRows(t *testing.T) {
	got, err := setting.Flatten([]byte("# mine\nseed: 1\ntrain:\n  episodes: 5\n"))
	if err != nil || len(got) != 2 || got[1] != (setting.Entry{Name: "train.episodes", Value: "5", Row: 4}) {
		t.Errorf("got %v (%v)", got, err)
	}
	for _, text := range []string{"", "- a\n", "just text", "a: ["} {
		if _, err := setting.Flatten([]byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
