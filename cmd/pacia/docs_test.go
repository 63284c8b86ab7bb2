package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pacia/model/methods"
)

var (
	// shownExample matches a marked block of commands and the block of their output.
	shownExample = regexp.MustCompile("(?s)((?:<!-- [a-z-]+ -->\n)?)```sh\n(.*?)```\n\n```text\n(.*?)```\n")
	// varies matches the parts of the output that differ between runs.
	varies = `in [0-9.]+ m?s`
)

const exampleMark = "<!-- check-example -->\n"

// TestDocsExamples runs the marked blocks of commands in README and docs/, in the order of the page
// and in one folder for each page, and compares the output with the next block. With -update it
// rewrites that block. Frozen pages (docs/lab) are not run.
func TestDocsExamples(t *testing.T) {
	seconds(t)
	root, pages := docsPages(t)
	readme := filepath.Join(root, "README.md")
	for _, page := range append(pages, readme) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		found := shownExample.FindAllStringSubmatchIndex(string(text), -1)
		if len(found) == 0 {
			if page == readme {
				t.Errorf("README.md has no block of commands marked %q, followed by one of their output", exampleMark)
			}
			continue
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			folder := shellFolder(t, root)
			var renewed strings.Builder
			last := 0
			for _, at := range found {
				block := func(i int) string { return string(text[at[2*i]:at[2*i+1]]) }
				if block(1) != exampleMark {
					t.Errorf("%s: commands with their output have to follow %q, so that they are tested", page, exampleMark)
				}
				got, want := inShell(t, folder, block(2)), block(3)
				if asShown(mask(want, varies)).MatchString(mask(got, varies)) {
					got = want
				} else if !*update {
					t.Errorf("%s shows (go test ./cmd/pacia -run DocsExamples -update writes it anew)\n%s\nwhere its commands print\n%s", page, want, got)
				}
				renewed.WriteString(string(text[last:at[6]]) + got)
				last = at[7]
			}
			renewed.Write(text[last:])
			if *update {
				if err := os.WriteFile(page, []byte(renewed.String()), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// asShown returns a pattern for the text of a page, in which a line of … stands for any lines.
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

// TestMethodsPage checks that docs/methods.md has a section for each method, with its title and
// its source as heading.
func TestMethodsPage(t *testing.T) {
	root, _ := docsPages(t)
	text, err := os.ReadFile(filepath.Join(root, "docs", "methods.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range methods.All {
		head := fmt.Sprintf("\n## `%s`: %s\n\n*%s*\n", m.Name, m.Title, m.Source)
		if !strings.Contains(string(text), head) {
			t.Errorf("docs/methods.md has no section that begins with\n%s", head)
		}
	}
}

// docsPages returns the root of the checkout and the pages for users.
func docsPages(t *testing.T) (root string, pages []string) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if pages, err = filepath.Glob(filepath.Join(root, "docs", "*.md")); err != nil || len(pages) == 0 {
		t.Fatalf("docs/ has no pages: %v", err)
	}
	return root, pages
}

// shellFolder makes a folder for the commands of a page. It has the examples, and bin/pacia, which
// runs this test binary.
func shellFolder(t *testing.T, root string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", asPacia, self)
	if err := os.WriteFile(filepath.Join(folder, "bin", "pacia"), []byte(program), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "examples"), filepath.Join(folder, "examples")); err != nil {
		t.Fatal(err)
	}
	return folder
}

// inShell runs commands and returns their output on both streams.
func inShell(t *testing.T, folder, commands string) string {
	t.Helper()
	shell := exec.Command("bash", "-euo", "pipefail", "-c", commands)
	shell.Dir = folder
	shell.Env = append(os.Environ(), "PACIA_THREADS=1") // does not change any figure, and leaves processors to other tests
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v:\n%s", commands, err, out)
	}
	return string(out)
}
