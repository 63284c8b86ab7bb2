// Package shards ranks a library in parts, by processes of their own on one machine or
// on a cluster, so that what comes of it is what one process would write.
//
//  1. A Plan (plan.go) says where the parts of the library begin and end, and of which
//     files, settings and command they are parts; it lies in a folder beside the ranked
//     table. What has changed since is refused.
//  2. A part is held by the process that ranks it, and kept when it has ended (part.go):
//     its rows in the order of their ranks, what could not be read, and the counts.
//     What ends before leaves nothing.
//  3. Run makes processes on this machine (local.go); package slurm makes them on others.
//  4. Gather opens what the parts left, for screen.Ranker.Gather to put together.
package shards
