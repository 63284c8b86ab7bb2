// Package shards ranks a library in parts, each in its own process, on one machine or on
// a cluster. The result equals that of a single process.
//
//  1. A Plan (plan.go) records where the parts of the library begin and end, and the
//     files, settings and command of the ranking. It is in a folder beside the
//     ranked table. A command that differs from its plan is refused.
//  2. The process that ranks a part locks it, and writes its result at the end
//     (part.go): the rows in the order of their ranks, the rows that could not be read,
//     and the counts. A process that ends earlier leaves no result.
//  3. Run starts processes on this machine (local.go); package slurm starts them on others.
//  4. Gather opens the results of the parts, and screen.Ranker.Gather combines them.
package shards
