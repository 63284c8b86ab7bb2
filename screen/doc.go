// Package screen ranks a library for an assay. `pacia predict` and `pacia serve` share it. It does not depend
// on the command line.
//
//  1. Package screen/ranking reads tables; Findings reports how they were interpreted (findings.go).
//  2. A Ranker ranks a library for a support set (ranker.go). Parse leaves out molecules that cannot
//     be read. Rank adapts a model to the others, measures how far the ranking can be trusted (package
//     trust), and scores the library in chunks, one on each thread.
//  3. The Ranker's Spill returns the rows in the order of their ranks any number of times, as a table
//     or one by one.
//  4. A part of a library is ranked like a whole one, and kept. The process that combines the parts
//     calls Gather in place of Rank (kept.go, package shards).
//
// The caller loads the model. Any number of rankers can use it, one after the other or concurrently,
// because a ranker does not change it.
package screen
