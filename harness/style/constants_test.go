package style

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	constantsOf  = regexp.MustCompile(`(?m)^constexpr \w+ (.*);`)
	constantName = regexp.MustCompile(`\b(k[A-Z]\w*) =`)
)

// TestConstants checks that CONTRIBUTING lists the constants of headers that all families of operations include.
func TestConstants(t *testing.T) {
	guide, found := read(t, filepath.Join(moduleRoot(t), "CONTRIBUTING.md")), 0
	for _, file := range tracked(t) {
		if !strings.HasPrefix(file, "cuda/kernels/") && !strings.HasPrefix(file, "ops/include/") || strings.HasSuffix(file, ".cu") {
			continue
		}
		for _, line := range constantsOf.FindAllStringSubmatch(read(t, filepath.Join(moduleRoot(t), file)), -1) {
			for _, name := range constantName.FindAllStringSubmatch(line[1], -1) {
				found++
				if !strings.Contains(guide, "`"+name[1]+"`") {
					t.Errorf("CONTRIBUTING.md, Add an operation, does not have %s of %s", name[1], file)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("%d constants were found", found)
	}
}
