package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWithoutHome: the program starts, and ranks, where nothing can be written below HOME
// (below /proc not even root can), and where there is no HOME.
func TestWithoutHome(t *testing.T) {
	seconds(t)
	root, err := filepath.Abs(filepath.Join("..", "..", "examples", "assay"))
	if err != nil {
		t.Fatal(err)
	}
	for _, home := range []string{"HOME=/proc/none", "NOTHING=1"} {
		for _, args := range [][]string{
			{"--help"},
			{"predict", "--support", filepath.Join(root, "support.csv"), "--candidates", filepath.Join(root, "library.csv"), "--out", filepath.Join(t.TempDir(), "ranked.csv")},
		} {
			c := exec.Command(os.Args[0], args...)
			c.Dir, c.Env = t.TempDir(), []string{home, asPacia + "=1", "LD_LIBRARY_PATH=" + os.Getenv("LD_LIBRARY_PATH")}
			if out, err := c.CombinedOutput(); err != nil || strings.Contains(string(out), "cache") {
				t.Errorf("%s pacia %s: %v\n%s", home, args[0], err, out)
			}
		}
	}
}
