// Package chains has a data set for tests of several packages: carbon chains, each with a group at its end.
package chains

import (
	"fmt"
	"strconv"
	"strings"
)

// Groups are the ends of chains. A molecule is active in task k if it has group k.
var Groups = []string{"O", "N", "Cl", "F", "Br", "C#N", "S"}

// Library returns a table of chains with groups, in the layout of MoleculeNet.
func Library() string {
	var b strings.Builder
	b.WriteString("smiles")
	for k := range Groups {
		fmt.Fprintf(&b, ",has_%d", k)
	}
	b.WriteByte('\n')
	for n := 1; n <= 6; n++ {
		for g, end := range Groups {
			b.WriteString(strings.Repeat("C", n) + end)
			for k := range Groups {
				b.WriteString("," + strconv.Itoa(map[bool]int{true: 1}[k == g]))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
