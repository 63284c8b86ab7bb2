// Package evaluate measures how well a model ranks the molecules of tasks that it
// has not seen. It needs the model and no trainer.
//
//  1. OpenData and ParseSMILES (dataset.go) give molecules in the form that a
//     model's encoder reads.
//  2. An Adapter adapts a model to a support set and returns an Adapted, the model of
//     one task (adapted.go). Of returns the Adapter of a trained model.
//  3. Rank (rank.go) scores molecules of a task in batches that memory allows,
//     side by side; a batch that does not fit into a device's memory is halved
//     (score.go).
//  4. Tasks (tasks.go) draws support sets of each task, ranks all other molecules and
//     returns ROC-AUC and ΔAUPRC. The draws are a pure function of the seed, the
//     evaluation's number and the task's name. A context can carry a function that
//     receives the progress (progress.go).
//  5. Benchmark (benchmark.go) tests by FS-Mol's protocol.
//  6. Controls (controls.go) rank again with misleading support sets: with swapped
//     labels, and of another task. The drop of the figures is the model's adaptivity.
//  7. A Scorer (score.go) scores the molecules of one task in portions, for prediction.
//  8. Origins (origins.go) finds the rows of files that molecules come from.
package evaluate
