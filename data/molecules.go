package data

import "fmt"

// Molecules are n molecules with their graphs, such as a [Store]. The rows of tasks and episodes
// are indices into them. They are read only, and safe for several goroutines.
type Molecules interface {
	Len() int        // n
	Atoms(i int) int // atoms of molecule i, 0..n-1
	Bonds(i int) int // its bonds, each counted once
	// AddTo appends molecule i to a batch: its atoms, the edges into them, and
	// its end. All molecules of a batch must come from one Molecules.
	AddTo(b *Batch, i int)
}

func checkRows(m Molecules, rows []int32) error {
	for _, r := range rows {
		if r < 0 || int(r) >= m.Len() {
			return fmt.Errorf("molecule %d is not in a store of %d", r, m.Len())
		}
	}
	return nil
}

func atomsOf(m Molecules, rows []int32) int {
	n := 0
	for _, row := range rows {
		n += m.Atoms(int(row))
	}
	return n
}
