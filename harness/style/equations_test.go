package style

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
// table of docs/method.md, and that every function in the table is in its file, which cites its equation.
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
		} else if !cites(string(text), row[1]) {
			t.Errorf("%s does not cite equation %d, which is there by the table of %s", row[4], n, method)
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

// cites reports whether a text has "Eq. n", also in a list such as "Eqs. 4 and n" or "Eqs. 4 to 6".
func cites(text, n string) bool {
	wanted, _ := strconv.Atoi(n)
	for _, list := range equation.FindAllStringSubmatch(text, -1) {
		digits := number.FindAllString(list[1], -1)
		first, _ := strconv.Atoi(digits[0])
		last, _ := strconv.Atoi(digits[len(digits)-1])
		if slices.Contains(digits, n) || strings.ContainsAny(list[1], "t–-") && first <= wanted && wanted <= last {
			return true
		}
	}
	return false
}
