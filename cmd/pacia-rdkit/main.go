// Command pacia-rdkit reads molecules for pacia, which starts it, and which goes on if a
// molecule brings it down. It has no use of its own.
package main

import (
	"fmt"
	"os"

	"pacia/data/rdkit"
)

func main() {
	if err := rdkit.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "pacia-rdkit:", err)
		os.Exit(1)
	}
}
