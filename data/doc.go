// Package data draws episodes from the tasks of a data set and makes the batches of training steps.
//
//  1. A [Dataset] consists of molecules (package molecule) and a list of [Task]s, each with
//     rows of the molecules and the labels measured for them. Package source opens one, and
//     package split lists the tasks for training and those for testing.
//  2. A [Draw] draws an [Episode] of one task: K inactive and K active molecules
//     as support (balanced.go), or N molecules in the class ratio of the task
//     (stratified.go), and others as queries. All randomness comes from [Rand], a
//     pure function of seed, stream and number, so that a run can be resumed anywhere
//     without saved state.
//  3. [Assemble] joins the episodes of a step into one [Batch]: graphs in compressed
//     sparse rows, with the boundaries of molecules and groups as offsets. Nothing is
//     parsed again.
//  4. [Batch.Refine] finds atoms with equal environments (package environment), which a
//     network needs to encode only once.
//
// Errors in input are *badinput.Error and name file, row and column.
package data
