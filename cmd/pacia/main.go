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

import "os"

// version is set by the linker: -X main.version=v1.2.3.
var version = "dev"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
