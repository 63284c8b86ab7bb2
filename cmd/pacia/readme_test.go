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

// methodsList matches the list of methods in README, which is made from their table.
var methodsList = regexp.MustCompile("(?s)<!-- methods -->\n(.*?)<!-- /methods -->\n")

// TestREADMEMethods compares README's list of methods with their table; -update rewrites
// the list.
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
		fmt.Fprintf(&want, "- `%s` %s\n", name, spec.Title)
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
