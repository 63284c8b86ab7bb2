package badinput_test

import (
	"errors"
	"strings"
	"testing"

	"pacia/internal/badinput"
)

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"":                          `""`,
		"a \"b\"\n":                 `"a \"b\"\n"`,
		strings.Repeat("x", 60):     `"` + strings.Repeat("x", 60) + `"`,
		strings.Repeat("x", 61):     `"` + strings.Repeat("x", 60) + `"… (61 bytes)`,
		strings.Repeat("é", 60):     `"` + strings.Repeat("é", 60) + `"`,
		strings.Repeat("é", 500000): `"` + strings.Repeat("é", 60) + `"… (1000000 bytes)`,
	} {
		if got := badinput.Quote(text); got != want {
			t.Errorf("Quote of %d bytes is %s, want %s", len(text), got, want)
		}
	}
}

func TestList(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"a"}, "a"},
		{[]string{"a", "b c"}, "a, b c"},
		{[]string{"a", strings.Repeat("x", 100)}, "a, " + strings.Repeat("x", 60) + "…"},
		{strings.Split(strings.Repeat("a,", 99)+"a", ","), strings.Repeat("a, ", 11) + "a and 88 more"},
	} {
		if got := badinput.List(tt.names); got != tt.want {
			t.Errorf("List of %d names is %s, want %s", len(tt.names), got, tt.want)
		}
	}
}

func TestPath(t *testing.T) {
	for path, want := range map[string]string{
		"runs/a-0":  "runs/a-0",
		"my runs/a": "'my runs/a'",
		"it's":      `'it'\''s'`,
		"a;rm -r":   "'a;rm -r'",
		"Läufe/1":   "Läufe/1",
		"$HOME":     "'$HOME'",
		"":          "''",
	} {
		if got := badinput.Path(path); got != want {
			t.Errorf("Path(%q) is %s, want %s", path, got, want)
		}
	}
}

// TestMessagesHaveAnEnd checks that messages are short even if one of their parts repeats a long input.
func TestMessagesHaveAnEnd(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	for name, e := range map[string]*badinput.Error{
		"file": {File: long}, "column": {Column: long}, "what": {What: long}, "cause": {Err: errors.New(long)}, "fix": {What: "a", Fix: long},
		"wrapped": {What: "a", Err: &badinput.Error{What: long}},
	} {
		if text := e.Error(); len(text) > 1100 || !strings.Contains(text, "…") {
			t.Errorf("%s: a message of %d bytes", name, len(text))
		}
	}
}
