package style

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	longestFile     = 300 // lines
	longestFunction = 70  // lines
	longestLine     = 140 // characters
)

// TestLengths checks the lengths of files and of functions outside tests.
func TestLengths(t *testing.T) {
	for _, file := range tracked(t) {
		switch filepath.Ext(file) {
		case ".go", ".cc", ".hh", ".h", ".cu", ".cuh":
		default:
			continue
		}
		text := read(t, filepath.Join(moduleRoot(t), file))
		if n := strings.Count(text, "\n"); n > longestFile {
			t.Errorf("%s has %d lines, more than %d; move a concept of it into a file of its own", file, n, longestFile)
		}
		if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		for name, n := range functions(t, file, text) {
			if n > longestFunction {
				t.Errorf("%s: %s has %d lines, more than %d; give a part of it a name", file, name, n, longestFunction)
			}
		}
	}
}

// functions returns the number of lines of each function in a file.
func functions(t *testing.T, file, text string) map[string]int {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			lines[f.Name.Name] = set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1
		}
	}
	return lines
}

// habits lists phrases that are not plain English, with replacements. The search for part comes first,
// since it takes a tenth of the time.
var habits = []struct {
	part    string
	pattern *regexp.Regexp
	instead string
}{
	{" no ", regexp.MustCompile(`\b(is|are) no [a-z]`), "is not a, are not"},
	{"hang", regexp.MustCompile(`\bhangs? on\b`), "depends on"},
	{" said", regexp.MustCompile(`\b(is|are) said\b`), "is reported"},
	{"of which", regexp.MustCompile(`\bof which\b`), "two sentences"},
	{", too", regexp.MustCompile(`, too\b`), "also, before the verb"},
}

// plain matches exceptions, which are plain English.
var plain = regexp.MustCompile(`\b[Tt]?here\s+(is|are) no\b|\b(is|are) no (longer|larger)\b`)

// TestWords checks that comments, messages and documents do not contain the habits.
func TestWords(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, file := range tracked(t) {
		if file == "harness/style/limits_test.go" {
			continue
		}
		n := 0
		for line := range strings.Lines(read(t, filepath.Join(moduleRoot(t), file))) {
			n++
			for _, h := range habits {
				if !strings.Contains(line, h.part) {
					continue
				}
				if found := h.pattern.FindString(plain.ReplaceAllString(line, "")); found != "" {
					t.Errorf("%s:%d: %q; write: %s", file, n, found, h.instead)
				}
			}
		}
	}
}
