// Package rundir knows the folders that training leaves: what their files are
// called, what is in them, and how they are read.
//
//  1. config.yaml has the settings: Flatten and Of give them by their full names,
//     as --set has them.
//  2. metrics.jsonl has a line for each Step and Evaluation, summary.json a
//     Summary, or the ReplicaSummary of several runs.
//  3. Expand turns a folder of replicas or of a sweep into those of its runs.
//  4. Read reads a finished run: its settings, its summary, its evaluations.
//     A folder that holds none is a *badinput.Error that says what to do.
//  5. A Follower looks at a run that is under way.
//
// Package checkpoint knows what is in last.ckpt and best.ckpt.
package rundir
