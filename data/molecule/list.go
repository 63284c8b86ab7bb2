package molecule

// List are n molecules with their graphs, such as a [Store]. The rows of tasks and episodes
// are indices into them. They are read only, and safe for several goroutines.
type List interface {
	Len() int        // n
	Atoms(i int) int // atoms of molecule i, 0..n-1
	Bonds(i int) int // its bonds, each counted once
	// AddTo appends molecule i to the inputs of a batch: its atoms, the edges into them, and
	// its end. All molecules of a batch must come from one List.
	AddTo(b *Inputs, i int)
}
