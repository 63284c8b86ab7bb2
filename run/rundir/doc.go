// Package rundir reads the folders that training leaves. It defines the names of their
// files and their content.
//
//  1. config.yaml has the settings. Flatten and Of return them with their full names,
//     as in --set.
//  2. metrics.jsonl has a line for each Step and Evaluation, summary.json a
//     Summary, or the ReplicaSummary of several runs.
//  3. Expand returns the folders of the runs in a folder of replicas or of a sweep.
//  4. Read reads a finished run: its settings, its summary, its evaluations. A folder
//     without a finished run is a *badinput.Error with advice.
//  5. A Follower reads the progress of an unfinished run.
//
// Package checkpoint reads and writes last.ckpt and best.ckpt.
package rundir
