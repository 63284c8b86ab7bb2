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

// What was longer when the limits came: it may become shorter and must not grow.
var longer = map[string]int{
	"data/label/label_test.go":      310,
	"report/write.go writeMarkdown": 72,
}

// TestLengths: a file holds one concept, and a function of the program fits on a screen.
func TestLengths(t *testing.T) {
	for _, file := range tracked(t) {
		switch filepath.Ext(file) {
		case ".go", ".cc", ".hh", ".h", ".cu", ".cuh":
		default:
			continue
		}
		text := read(t, filepath.Join(moduleRoot(t), file))
		if n := strings.Count(text, "\n"); n > max(longestFile, longer[file]) {
			t.Errorf("%s has %d lines, more than %d; move a concept of it into a file of its own", file, n, max(longestFile, longer[file]))
		}
		if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		for name, n := range functions(t, file, text) {
			if most := max(longestFunction, longer[file+" "+name]); n > most {
				t.Errorf("%s: %s has %d lines, more than %d; give a part of it a name", file, name, n, most)
			}
		}
	}
}

// functions returns the lines of each function of a file.
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

// habits are ways of writing that are not plain English, with what to write instead. Each has a part that
// is looked for first, in a tenth of the time.
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

// plain English has these.
var plain = regexp.MustCompile(`\b[Tt]?here\s+(is|are) no\b|\b(is|are) no (longer|larger)\b`)

// TestWords: Go, C++ and Markdown have none of the habits.
func TestWords(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, file := range tracked(t) {
		if ext := filepath.Ext(file); file == "internal/style/limits_test.go" || ext != ".go" && ext != ".md" && ext != ".cc" && ext != ".hh" {
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

// TestLines: a reader sees a line at once. Rows of tables and tags of structs are left out.
func TestLines(t *testing.T) {
	const most = 870 // mostly lists of arguments; it must not grow
	found := 0
	for _, file := range tracked(t) {
		switch filepath.Ext(file) {
		case ".go", ".cc", ".hh", ".h", ".cu", ".cuh", ".md":
		default:
			continue
		}
		for line := range strings.Lines(read(t, filepath.Join(moduleRoot(t), file))) {
			if len([]rune(line)) > longestLine+1 && !strings.HasPrefix(line, "|") && !strings.Contains(line, "`") {
				found++
			}
		}
	}
	if found > most {
		t.Errorf("%d lines have more than %d characters, %d before; break them at a comma or a phrase", found, longestLine, most)
	}
}
