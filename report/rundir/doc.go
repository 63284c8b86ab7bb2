// Package rundir reads the folders that training leaves.
//
//  1. Expand turns a folder of replicas or of a sweep into those of its runs.
//  2. Read reads a finished run: its settings, its summary, its evaluations.
//     A folder that holds none is a *fault.Error that says what to do.
//  3. Flatten gives settings by their full names, as --set has them.
//  4. A Follower looks at a run that is under way.
package rundir
