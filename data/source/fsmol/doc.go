// Package fsmol reads, writes and samples the tasks of the FS-Mol benchmark.
//
//  1. A task is a file TASK.jsonl.gz with a molecule per line. A [Reader] streams it.
//     Molecules in this format have a graph with 32 features per atom, see [Features],
//     and bonds of three types. [ParseSMILES] makes the same graphs with RDKit.
//  2. [Folds] list the tasks for training, validation and testing. [OpenFolder] opens a
//     folder of task files, or of CSV files, as a data set with each molecule once. Its
//     molecules have the benchmark's features with [Featurizer], and RDKit's
//     graphs otherwise. With [Featurizer], source.Open makes molecules with these features
//     from a CSV.
//  3. data.DrawStratified draws support sets of [SupportSizes], and queries, as the
//     benchmark does: by scikit-learn's stratified split with the same seed.
//  4. [Score] compares the scores of one draw with its labels. [WriteResults] and
//     [WriteSummary] write the benchmark's tables, and [ReadRecords] reads them.
//  5. Package targets has the targets of the assays, for means by category.
//     [HoldOutTargets] makes folders that are split by targets.
//  6. [FromCSV] and [ToCSV] convert between task files and the layout of MoleculeNet.
//
// Errors in input are *badinput.Error and name file and line.
package fsmol
