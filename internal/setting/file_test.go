package setting_test

import (
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"pacia/internal/badinput"
	"pacia/internal/setting"
)

// Flatten of the output of Encode gives the same names, values and order as List.
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
		got = append(got, e.Name+"="+e.Value)
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
	for text, want := range map[string]string{
		"":                  "",
		"just text":         `row 1: "just text" where settings should be; write name: value`,
		"a: 1\nb: [1, 2]":   "row 2: b takes one value, not a list or a group",
		"a: {b: 1}\na.b: 2": "row 2: a.b is set twice, first in row 1; keep one of the two",
		"a: 1\n---\nb: 2":   "row 3: a second document begins, after ---; write it to a file of its own",
		"---\na: 1\n---\n":  "",
		"a: [":              "not a YAML file: yaml: line 1: did not find expected node content",
	} {
		_, err := setting.Flatten([]byte(text))
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// TestAliasesOfGroups checks that aliases of groups are refused: a group may contain itself, or others
// many times.
func TestAliasesOfGroups(t *testing.T) {
	for _, text := range []string{"model: &m {a: *m}", "a: &a {x: 1}\nb: &b {p: *a, q: *a}\nc: *b"} {
		if _, err := setting.Flatten([]byte(text)); !badinput.Is(err) || !strings.Contains(err.Error(), "is an alias of a group") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if got, err := setting.Flatten([]byte("a: &a 5\nb: *a")); err != nil || len(got) != 2 || got[1].Value != "5" {
		t.Errorf("an alias of a value: %v (%v)", got, err)
	}
}
