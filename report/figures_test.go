package report

import (
	"strings"
	"testing"
)

// TestFileName: names of any length give names of files that a file system takes, and
// different names different ones.
func TestFileName(t *testing.T) {
	long := strings.Repeat("µ", 5000)
	a, b := fileName(long), fileName(long+"x")
	if len(a) > 100 || a == b || fileName("tox21") != "tox21" {
		t.Errorf("%q, %q, %q", a, b, fileName("tox21"))
	}
}
