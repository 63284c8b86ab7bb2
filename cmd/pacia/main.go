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

	"pacia/internal/scratch"
)

func main() {
	code := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	scratch.Remove()
	os.Exit(code)
}
