// Package fsmol reads, writes and samples the tasks of the FS-Mol benchmark.
//
//  1. A task is a file TASK.jsonl.gz, a molecule a line. [openTask] streams it;
//     [readTask] reads it whole; [writeTask] writes one. The format's molecules
//     bring their own graph: 32 features an atom, see [Features], and bonds of
//     three kinds. [FromSMILES] makes the same by RDKit.
//  2. [readFolds] says which tasks are for training, validation and testing;
//     [Open] reads them all into one [Dataset], each molecule once;
//     [OpenFolder] makes of it what package train trains on. With [Featurizer],
//     data.Open makes molecules of these features from a CSV.
//  3. data.DrawStratified draws a support set and queries as the benchmark does, by
//     scikit-learn's stratified split of the same seed, of [SupportSizes].
//  4. Package data joins episodes into batches: of a [Store], whose atoms have the
//     benchmark's features, for encoders of these, see [Dataset.Features];
//     [Dataset.Graphs] has RDKit's graphs of the same molecules, for encoders
//     of data.Graph.
//  5. [Score] compares the scores of one draw with its labels; [WriteResults] and
//     [WriteSummary] write the benchmark's tables.
//  6. Package targets knows what the assays measure, for means by category.
//  7. [FromCSV] and [ToCSV] go between task files and the layout of MoleculeNet.
//
// Bad input comes back as a *badinput.Error that names file and line.
package fsmol
