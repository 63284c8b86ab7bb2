package data

// Batch is everything that a step needs, in the host's memory: B tasks with N support
// molecules each, Q queries in total, n molecules, A atoms, E directed edges.
//
// The order of molecules is task 0 support, task 0 queries, task 1 support, … The
// number of queries may differ between tasks, but N is the same for all.
type Batch struct {
	Tasks   int // B
	Support int // N; 0 in a batch of queries only
	Shots   int // K, the size of the smallest class: the number of neighbours that a row of the relation graph keeps

	Atoms    []uint8   // [A, 2] as in Graph; empty if atoms have features
	Features []float32 // [A, k], such as those of FS-Mol; empty if atoms have categories
	Places   []float32 // [A, 3] coordinates in Å, with the features of rdkit.Conformer; otherwise empty
	RowPtr   []int32   // [A+1] edges into atom v: RowPtr[v]..RowPtr[v+1]
	Col      []int32   // [E] atom that the edge comes from, numbered in the batch
	Bond     []uint8   // [E, 2] as in Graph; with features, type (0 single, 1 double, 2 triple) and 0

	Fingerprints Fingerprints // [n]; the zero value if molecules have none
	Descriptors  []float32    // [n, D]; empty if molecules have none
	Embeddings   []float32    // [n, W] from an [Embedder], NaN for a molecule that it cannot read; empty if molecules have none

	MolPtr   []int32 // [n+1] atoms of molecule m: MolPtr[m]..MolPtr[m+1]
	GroupPtr []int32 // [2B+1] atoms of a group; group 2t is the support of task t, 2t+1 its queries

	TaskNumber []int32 // [B] number of each task in its data set, see Episode.Task

	SupportMol   []int32    // [B·N] molecules of the support, inactive first in each task
	QueryMol     []int32    // [Q] molecules of the queries
	QueryTask    []int32    // [Q] task of the query, 0..B-1
	SupportLabel []uint8    // [B·N]
	SupportValue []Measured // [B·N]; empty: the model learns labels
	QueryLabel   []uint8    // [Q]; empty if not known

	Levels  []Level  // the distinct environments of atoms; empty before Refine
	AtomRow []int32  // [A] class of each atom at the last level
	Names   [][]Name // [R_l] of each level; empty before Identify
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
