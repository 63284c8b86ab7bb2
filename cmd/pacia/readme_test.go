package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pacia/model/methods"
)

// example of README: commands, and what they print.
var readmeExample = regexp.MustCompile("(?s)<!-- check-example -->\n```sh\n(.*?)```\n\n```text\n(.*?)```\n")

// TestREADMEExample runs what README begins with, with the model that ships, and compares
// what it shows, where a line of … stands for any lines; -update writes all lines anew.
// (scripts/check-bare runs the blocks for a bare machine.)
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
	case asShown(mask(want, seconds)).MatchString(mask(got, seconds)):
	case *update:
		text = slices.Concat(text[:at[4]], []byte(got), text[at[5]:])
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("README.md shows (go test ./cmd/pacia -run README -update writes it anew)\n%s\nwhere its commands print\n%s", want, got)
	}
}

// asShown matches a text that is as shown, where a line of … stands for any lines.
func asShown(shown string) *regexp.Regexp {
	var form strings.Builder
	for line := range strings.Lines(shown) {
		if line == "…\n" {
			form.WriteString(`(?:.*\n)*`)
		} else {
			form.WriteString(regexp.QuoteMeta(line))
		}
	}
	return regexp.MustCompile(`\A` + form.String() + `\z`)
}

// methodsList is where README lists the methods, made from their table.
var methodsList = regexp.MustCompile("(?s)<!-- methods -->\n(.*?)<!-- /methods -->\n")

// TestREADMEMethods compares README's list of methods with the table of them; -update
// writes it anew.
func TestREADMEMethods(t *testing.T) {
	file := filepath.Join("..", "..", "README.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := methodsList.FindSubmatchIndex(text)
	if at == nil {
		t.Fatal("README.md has no lines <!-- methods --> and <!-- /methods -->")
	}
	var want strings.Builder
	for _, name := range methods.Names() {
		spec, err := methods.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		_, work, found := strings.Cut(spec.Source, ": ")
		if !found {
			work = spec.Source
		}
		fmt.Fprintf(&want, "- `%s` %s: %s\n", name, spec.Title, work)
	}
	if got := string(text[at[2]:at[3]]); got == want.String() {
		return
	} else if !*update {
		t.Fatalf("README.md lists (go test ./cmd/pacia -run README -update writes it anew)\n%s\nand the methods are\n%s", got, want.String())
	}
	if err := os.WriteFile(file, slices.Concat(text[:at[2]], []byte(want.String()), text[at[3]:]), 0o600); err != nil {
		t.Fatal(err)
	}
}
