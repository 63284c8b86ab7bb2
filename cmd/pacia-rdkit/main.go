// Command pacia-rdkit reads molecules for pacia, which starts it and continues if a
// molecule crashes it. It is of no use by itself.
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
