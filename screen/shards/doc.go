// Package shards ranks a library in parts, by processes of their own on one machine or on
// a cluster, so that the result equals that of one process.
//
//  1. A Plan (plan.go) records where the parts of the library begin and end, and the
//     files, settings and command that they belong to. It lies in a folder beside the
//     ranked table. A change of any of these is refused.
//  2. The process that ranks a part holds it, and keeps its result when it has ended
//     (part.go): the rows in the order of their ranks, the rows that could not be read,
//     and the counts. A process that ends earlier leaves nothing.
//  3. Run makes processes on this machine (local.go); package slurm makes them on others.
//  4. Gather opens the results of the parts, for screen.Ranker.Gather to put together.
package shards
