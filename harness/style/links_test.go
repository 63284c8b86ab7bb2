package style

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	quoted  = regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]*`")
)

// TestLinks checks that the files and headings of this repository to which documents link exist.
func TestLinks(t *testing.T) {
	for _, file := range tracked(t) {
		if filepath.Ext(file) != ".md" {
			continue
		}
		text := quoted.ReplaceAllString(read(t, filepath.Join(moduleRoot(t), file)), "")
		for _, at := range link.FindAllStringSubmatch(text, -1) {
			if why := broken(t, file, at[1]); why != "" {
				t.Errorf("%s links to %s: %s", file, at[1], why)
			}
		}
	}
}

// TestNamedSources checks that C++, CUDA and Python files that comments and documents name by their path exist.
// Pages of docs/lab describe earlier states.
func TestNamedSources(t *testing.T) {
	named, found := regexp.MustCompile(`(^|[\s"(\x60])((bench|cuda|data|gnn|model|ops|python|scripts)/[\w/-]+\.(cc|cu|cuh|hh|py))\b`), 0
	for _, file := range tracked(t) {
		if strings.HasPrefix(file, "docs/lab/") {
			continue
		}
		for _, at := range named.FindAllStringSubmatch(read(t, filepath.Join(moduleRoot(t), file)), -1) {
			found++
			if _, err := os.Stat(filepath.Join(moduleRoot(t), at[2])); err != nil {
				t.Errorf("%s names %s: there is no such file", file, at[2])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d paths were found; the pattern does not match", found)
	}
}

// broken returns the reason why a link in a file is broken, or "".
func broken(t *testing.T, file, target string) string {
	if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
		return ""
	}
	path, fragment, _ := strings.Cut(target, "#")
	to := filepath.Join(moduleRoot(t), filepath.Dir(file), path)
	if path == "" {
		to = filepath.Join(moduleRoot(t), file)
	}
	if _, err := os.Stat(to); err != nil {
		return "there is no such file"
	}
	if fragment == "" || filepath.Ext(to) != ".md" {
		return ""
	}
	for _, h := range heading.FindAllStringSubmatch(read(t, to), -1) {
		if anchor(h[1]) == fragment {
			return ""
		}
	}
	return "it has no such heading"
}

// anchor returns the anchor of a heading on GitHub.
func anchor(heading string) string {
	heading = link.ReplaceAllString(heading, "]")
	var name strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(heading)) {
		switch {
		case r == ' ':
			name.WriteRune('-')
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
			name.WriteRune(r)
		}
	}
	return name.String()
}
