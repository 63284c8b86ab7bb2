// Package data reads molecules from files and makes the batches of training steps.
//
//  1. [Open] reads a table of molecules and labels (in the layout of MoleculeNet, or
//     the embedded set). RDKit converts each SMILES to a graph once, over several
//     goroutines. Graphs and labels are kept in a graph store on disk, keyed by the
//     content of the file, and are memory-mapped from there.
//  2. A [Dataset] consists of [Molecules], such as a [Store] of graphs, and a list of
//     [Task]s, each with rows of the store and the labels measured for them. Package
//     fsmol reads FS-Mol's folders and molecules with features.
//  3. A [Split] lists the tasks for training and those for testing.
//  4. A [Draw] draws an [Episode] of one task: K inactive and K active molecules
//     as support (balanced.go), or N molecules in the class ratio of the task
//     (stratified.go), and others as queries. All randomness comes from [Rand], a
//     pure function of seed, stream and number, so that a run can be resumed anywhere
//     without saved state.
//  5. [Assemble] joins the episodes of a step into one [Batch]: graphs in compressed
//     sparse rows, with the boundaries of molecules and groups as offsets. Nothing is
//     parsed again.
//  6. [Batch.Refine] finds atoms with equal environments, which a network
//     needs to encode only once. [Batch.Identify] names the environments. By these
//     names, [StateCache] finds states that were encoded for earlier batches.
//
// For prediction, [ParseSMILES] makes a store in memory from a slice of SMILES.
//
// Errors in input are *badinput.Error and name file, row and column.
package data
