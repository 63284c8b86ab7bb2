package style

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// reference lists pages that may be longer than those for users; settings.md and fields.md are generated.
var reference = map[string]bool{"gpu.md": true, "method.md": true, "methods.md": true, "model.md": true, "reproduce.md": true, "settings.md": true, "fields.md": true}

const (
	mostWords       = 1500 // in a page for users
	mostOfASentence = 40   // words
)

var (
	codeBlock   = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	inlineLink  = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	tableRow    = regexp.MustCompile(`(?m)^ *\|.*$`)
	paragraph   = regexp.MustCompile(`\n\s*\n|\n *(?:-|\d+\.) `)
	sentenceEnd = regexp.MustCompile(`[.!?:;][*)]*\s+`)
	labDates    = regexp.MustCompile(`(?s)^(# [^\n]*\n\n)?Measured (on )?20\d\d-\d\d-\d\d.{0,200}\b[0-9a-f]{7,}\b`)
)

// TestPages limits the words of pages in docs/.
func TestPages(t *testing.T) {
	for _, page := range docs(t, "*.md") {
		name := filepath.Base(page)
		if n := len(strings.Fields(read(t, page))); n > mostWords && !reference[name] {
			t.Errorf("docs/%s has %d words, more than %d: measurements belong to docs/lab", name, n, mostWords)
		}
	}
}

// TestSentences limits the words of sentences in docs/ and docs/lab/, outside tables.
func TestSentences(t *testing.T) {
	for _, page := range append(docs(t, "*.md"), docs(t, "lab/*.md")...) {
		name, text := filepath.Base(page), read(t, page)
		if name == "settings.md" || name == "fields.md" {
			continue
		}
		prose := tableRow.ReplaceAllString(heading.ReplaceAllString(codeBlock.ReplaceAllString(text, ""), "\n"), "\n")
		for _, p := range paragraph.Split(inlineLink.ReplaceAllString(prose, "$1"), -1) {
			for _, s := range sentenceEnd.Split(p, -1) {
				if n := len(strings.Fields(s)); n > mostOfASentence {
					t.Errorf("%s has a sentence of %d words, more than %d: %s", name, n, mostOfASentence, strings.Join(strings.Fields(s)[:12], " "))
				}
			}
		}
	}
}

// TestLabIsDated checks that a page of measurements begins with its days and its commit.
func TestLabIsDated(t *testing.T) {
	for _, page := range docs(t, "lab/*.md") {
		if text := read(t, page); filepath.Base(page) != "README.md" && !labDates.MatchString(text) {
			t.Errorf("docs/lab/%s has to begin as the others there: when was it measured, and up to which commit?", filepath.Base(page))
		}
	}
}

func docs(t *testing.T, pattern string) []string {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(moduleRoot(t), "docs", pattern))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no docs/%s: %v", pattern, err)
	}
	return pages
}
