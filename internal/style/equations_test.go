package style

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The table of equations, and its rows: | 6 | `eq:film` | … | `film` in `ops/encoder/film.hh` |.
const method = "docs/method.md"

var (
	equationRow = regexp.MustCompile("(?m)^\\| (\\d+) \\| `(eq:[\\w-]+)` \\| .* \\| `(\\w+)` in `([\\w./]+)` \\|$")
	equation    = regexp.MustCompile(`\bEqs?\.[ \n/#*]*(\d+(?:(?:,|,? and|,? to|–|-)[ \n/#*]*\d+)*)`)
	number      = regexp.MustCompile(`\d+`)
)

// TestEquations checks that every "Eq. n" in code, comments, tests and documents is in the
// table of docs/method.md, and that every function in the table is in its file.
func TestEquations(t *testing.T) {
	root := moduleRoot(t)
	table := read(t, filepath.Join(root, method))
	known := map[int]bool{}
	for _, row := range equationRow.FindAllStringSubmatch(table, -1) {
		n, _ := strconv.Atoi(row[1])
		if n != len(known)+1 {
			t.Errorf("%s: equation %d follows equation %d; write them in order, each once", method, n, len(known))
		}
		known[n] = true
		definition := regexp.MustCompile(`(?m)(^func .*\b|^.*\s)` + row[3] + `\(`)
		if text, err := os.ReadFile(filepath.Join(root, row[4])); err != nil || !definition.Match(text) {
			t.Errorf("%s: equation %d: there is no %s in %s; write the present function and file", method, n, row[3], row[4])
		}
	}
	if len(known) != 20 {
		t.Fatalf("%s has %d equations; the paper has 20", method, len(known))
	}
	found := 0
	for _, file := range tracked(t) {
		for _, match := range equation.FindAllStringSubmatchIndex(read(t, filepath.Join(root, file)), -1) {
			text := read(t, filepath.Join(root, file))
			for _, digits := range number.FindAllString(text[match[2]:match[3]], -1) {
				found++
				if n, _ := strconv.Atoi(digits); !known[n] {
					t.Errorf("%s:%d: %q is not in the table of %s; write the paper's number, or of another paper \"equation %d of NAME\"",
						file, 1+strings.Count(text[:match[0]], "\n"), text[match[0]:match[1]], method, n)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d numbers of equations were found; the pattern does not match", found)
	}
}
