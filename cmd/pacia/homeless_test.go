package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestWithoutHome checks that the program starts and ranks if it cannot write below HOME, and
// without HOME. Not even root can write below /proc.
func TestWithoutHome(t *testing.T) {
	seconds(t)
	inFolder(t, "support.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\nCCCN,0\n")
	put(t, "library.csv", "smiles\nCCCCN\nCCCCO\nCCOCC\n")
	for _, home := range []string{"HOME=/proc/none", "NOTHING=1"} {
		c := exec.Command(os.Args[0], "predict", "--support", "support.csv", "--candidates", "library.csv", "--out", "ranked.csv")
		c.Env = []string{home, asPacia + "=1", "PACIA_RDKIT=" + os.Getenv("PACIA_RDKIT"), "LD_LIBRARY_PATH=" + os.Getenv("LD_LIBRARY_PATH")}
		if out, err := c.CombinedOutput(); err != nil || strings.Contains(string(out), "cache") {
			t.Errorf("%s: %v\n%s", home, err, out)
		}
	}
}
