package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// example of README: commands, and what they print.
var readmeExample = regexp.MustCompile("(?s)<!-- check-example -->\n```sh\n(.*?)```\n\n```text\n(.*?)```\n")

// TestREADMEExample runs what README begins with, with the model that ships, and compares
// what it shows; -update writes that anew. (scripts/check-bare runs the blocks for a bare
// machine.)
func TestREADMEExample(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "README.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := readmeExample.FindSubmatchIndex(text)
	if at == nil {
		t.Fatal("README.md has no block of commands marked <!-- check-example -->, followed by one of what they print")
	}
	commands := strings.ReplaceAll(string(text[at[2]:at[3]]), "\\\n", " ")
	t.Chdir(t.TempDir())
	if err := os.Symlink(filepath.Join(root, "examples"), "examples"); err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for command := range strings.Lines(commands) {
		args := strings.Fields(command)
		if args[0] != "bin/pacia" {
			t.Fatalf("README's example has the command %q; only those of bin/pacia can be tested", command)
		}
		shown.WriteString(ok(t, args[1:]...))
	}
	const seconds = `in [0-9.]+ m?s`
	got, want := shown.String(), string(text[at[4]:at[5]])
	switch {
	case mask(got, seconds) == mask(want, seconds):
	case *update:
		text = slices.Concat(text[:at[4]], []byte(got), text[at[5]:])
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("README.md shows (go test ./cmd/pacia -run README -update writes it anew)\n%s\nwhere its commands print\n%s", want, got)
	}
}
