// Command pacia trains, evaluates and uses PACIA, a model that predicts
// molecular properties from a few labelled molecules.
//
// Each command has a file of its own; run.go holds what they share: how
// errors become one line and an exit code. Results go to the standard output,
// progress and errors to the standard error.
//
// Exit codes: 0 done; 1 trouble of the program or the machine; 2 bad input;
// 130 interrupted, with the work so far saved.
package main

import (
	"os"
	"path/filepath"

	"pacia/data/rdkit"
	"pacia/internal/scratch"
)

func main() {
	readApart()
	code := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	scratch.Remove()
	os.Exit(code)
}

// readApart lets molecules be read by the program pacia-rdkit, where it is beside this
// one.
func readApart() {
	own, err := os.Executable()
	if err != nil {
		return
	}
	if reader := filepath.Join(filepath.Dir(own), "pacia-rdkit"); isFile(reader) {
		rdkit.Apart(reader)
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
