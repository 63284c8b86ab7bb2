// Package data takes molecules from a file to the batch of a training step.
//
//  1. [Open] reads a CSV of molecules and labels (the layout of MoleculeNet, or
//     the embedded set). RDKit turns each SMILES into a graph, over several
//     goroutines, once: graphs and labels then lie in a graph store on disk,
//     keyed by the content of the file, and are memory-mapped from there.
//  2. A [Dataset] is [Molecules], such as a [Store] of graphs, and a list of
//     [Task]s, which name rows of them and the labels measured for these. Package
//     fsmol has molecules of another form, and the folders that they come from.
//  3. A [Split] says which tasks are for training and which for testing.
//  4. A [Draw] draws an [Episode] of one task: K inactive and K active molecules
//     as support (balanced.go), or N in the shares of the task (stratified.go), and
//     others as queries. All randomness comes from [Rand], a pure function of
//     seed, stream and number, so that a run can be resumed anywhere without any
//     state.
//  5. [Assemble] joins the episodes of a step into one [Batch]: graphs in compact
//     rows with the boundaries of molecules and groups as offsets. Nothing is
//     parsed again.
//  6. [Batch.Refine] finds the atoms with equal surroundings, which a network
//     needs to encode only once. [Batch.Identify] names them, and [StateCache] knows by
//     these names what was encoded for earlier batches.
//
// For prediction [ParseSMILES] makes a store in memory from a slice of SMILES.
//
// Bad input comes back as a *badinput.Error that names file, row and column.
package data
