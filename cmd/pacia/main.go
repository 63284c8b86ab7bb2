// Command pacia trains, evaluates and uses PACIA, a model that predicts
// molecular properties from a few labelled molecules.
//
// Each command has its own file. run.go turns errors into one line and an exit
// code. Results go to the standard output, progress and errors to the standard
// error.
//
// Exit codes: 0 done; 1 failure of the program or the machine; 2 bad input;
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

// readApart makes the program pacia-rdkit read molecules, if it is in the folder of this
// program.
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
