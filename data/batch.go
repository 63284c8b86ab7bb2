package data

// Batch is everything that a step needs, on the host: B tasks with N support
// molecules each, Q queries in all, n molecules, A atoms, E directed edges.
//
// Molecules are ordered task 0 support, task 0 queries, task 1 support, … The
// number of queries may differ between tasks, N may not.
type Batch struct {
	Tasks   int // B
	Support int // N; 0 in a batch of queries only
	Shots   int // K, how many neighbours a row of the relation graph keeps (the smallest class)

	Atoms    []uint8   // [A, 2] as in Graph; empty where atoms have features
	Features []float32 // [A, k] of the atoms of FS-Mol's form; empty where they have categories
	Places   []float32 // [A, 3] in Å, of atoms in space, whose features are those of rdkit.Conformer; otherwise nothing
	RowPtr   []int32   // [A+1] edges into atom v: RowPtr[v]..RowPtr[v+1]
	Col      []int32   // [E] atom that the edge comes from, numbered in the batch
	Bond     []uint8   // [E, 2] as in Graph; with features, type (0 single, 1 double, 2 triple) and 0

	Fingerprints Fingerprints // [n]; of molecules without, the zero value
	Descriptors  []float32    // [n, D]; of molecules without, nothing
	Embeddings   []float32    // [n, W] of an [Embedder], NaN where it cannot read a molecule; of molecules without, nothing

	MolPtr   []int32 // [n+1] atoms of molecule m: MolPtr[m]..MolPtr[m+1]
	GroupPtr []int32 // [2B+1] atoms of a group; group 2t is the support of task t, 2t+1 its queries

	TaskNumber []int32 // [B] number of each task in its data set, as its episode has it

	SupportMol   []int32    // [B·N] molecules of the support, inactive first in each task
	QueryMol     []int32    // [Q] molecules of the queries
	QueryTask    []int32    // [Q] task of the query, 0..B-1
	SupportLabel []uint8    // [B·N]
	SupportValue []Measured // [B·N]; empty: labels are to be learnt
	QueryLabel   []uint8    // [Q]; empty where they are not known

	Levels  []Level  // the distinct surroundings of atoms, of Refine; empty before
	AtomRow []int32  // [A] class of each atom at the last level
	Names   [][]Name // [R_l] of each level, of Identify; empty before
	refiner refiner
}

func (b *Batch) reset() {
	b.Tasks, b.Support, b.Shots = 0, 0, 0
	b.Atoms, b.Features, b.Bond, b.Col = b.Atoms[:0], b.Features[:0], b.Bond[:0], b.Col[:0]
	b.Places = b.Places[:0]
	b.RowPtr = append(b.RowPtr[:0], 0)
	b.MolPtr = append(b.MolPtr[:0], 0)
	b.GroupPtr = append(b.GroupPtr[:0], 0)
	b.SupportMol, b.QueryMol, b.QueryTask = b.SupportMol[:0], b.QueryMol[:0], b.QueryTask[:0]
	b.SupportLabel, b.QueryLabel = b.SupportLabel[:0], b.QueryLabel[:0]
	b.SupportValue = b.SupportValue[:0]
	b.TaskNumber = b.TaskNumber[:0]
	b.Fingerprints.reset()
	b.Descriptors, b.Embeddings = b.Descriptors[:0], b.Embeddings[:0]
	b.Levels, b.AtomRow, b.Names = b.Levels[:0], b.AtomRow[:0], b.Names[:0]
}

// addTask appends one task: its support group, then its queries.
func (b *Batch) addTask(s Molecules, e *Episode) {
	for _, row := range e.Support {
		b.SupportMol = append(b.SupportMol, b.addMol(s, row))
	}
	b.endGroup()
	for _, row := range e.Query {
		b.QueryMol = append(b.QueryMol, b.addMol(s, row))
		b.QueryTask = append(b.QueryTask, int32(b.Tasks))
	}
	b.endGroup()
	b.SupportLabel = append(b.SupportLabel, e.SupportLabels...)
	b.SupportValue = append(b.SupportValue, e.SupportValues...)
	b.QueryLabel = append(b.QueryLabel, e.QueryLabels...)
	b.TaskNumber = append(b.TaskNumber, int32(e.Task))
	b.Tasks++
}

func (b *Batch) addMol(s Molecules, row int32) int32 {
	s.AddTo(b, int(row))
	return int32(len(b.MolPtr) - 2)
}

func (b *Batch) endGroup() { b.GroupPtr = append(b.GroupPtr, b.MolPtr[len(b.MolPtr)-1]) }
