// Package screen ranks a library for an assay: what `pacia predict` and `pacia serve` have
// in common. Neither files' names nor flags are known to it.
//
//  1. Labelling says which molecules of a table are active (labelling.go), and Said what
//     was understood (said.go); package screen/ranking reads tables.
//  2. A Ranker takes a support set and a library (ranker.go): Parse leaves out what cannot
//     be read, Rank adapts a model to the rest, measures how far to trust it (package
//     trust), and scores the library row by row, a chunk on each thread.
//  3. Its rows, in the order of their ranks, come from its Spill, as often as they are
//     asked for: as a table, or one by one.
//  4. A part of a library is ranked like a whole one, and kept; Gather takes the place of
//     Rank for whoever puts the parts together (kept.go, package shards).
//
// A model is loaded by the caller, and may serve any number of rankers, one after the
// other or side by side: nothing of a ranker is left in it.
package screen
