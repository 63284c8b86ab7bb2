package molecule

// Graph is one molecule of A atoms and E directed edges, two for each bond. Its
// slices belong to the store and must not be written to.
type Graph struct {
	Atoms  []uint8  // [A, 2] atomic number − 1 (0..117; 118 unknown), chirality tag (0 none, 1 CW, 2 CCW, 3 other)
	RowPtr []int32  // [A+1] edges into atom v: RowPtr[v]..RowPtr[v+1]; RowPtr[0] = 0
	Col    []uint16 // [E] atom that the edge comes from
	Bond   []uint8  // [E, 2] type and direction, as in package category
}

// Len returns the number of atoms A.
func (g Graph) Len() int { return len(g.Atoms) / 2 }

// Edges returns the number of directed edges E.
func (g Graph) Edges() int { return len(g.Col) }
