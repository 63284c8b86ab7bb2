package report

import (
	"strings"
	"testing"
)

// TestFileName: names of any length give valid and distinct names of files.
func TestFileName(t *testing.T) {
	long := strings.Repeat("µ", 5000)
	a, b := fileName(long), fileName(long+"x")
	if len(a) > 100 || a == b || fileName("tox21") != "tox21" {
		t.Errorf("%q, %q, %q", a, b, fileName("tox21"))
	}
}
