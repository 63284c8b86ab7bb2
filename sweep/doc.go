// Package sweep makes many training runs that differ in their settings.
//
//  1. A file (file.go) names a base, the settings that vary – a grid, a list or
//     a random sample (vary.go) – and seeds. Read turns it into a Plan: the runs,
//     each with a name (name.go) and all its settings, checked before any begins.
//  2. Every run has a line of state in DIR/state/NAME.json (state.go), all its
//     settings in DIR/settings/NAME.yaml, its folder in DIR/NAME, and its output
//     in DIR/logs. Begin compares them with the plan.
//  3. Run (queue.go) makes the runs, as many at a time on each device as allowed.
//     A run is a process of its own (process.go), which holds a lock as long as it
//     lives: one that fails, or is killed, does not stop the others.
//  4. On a cluster the runs are a job array (slurm.go); each of its tasks makes
//     one run. They know of each other only through the files.
//  5. A Board (board.go) shows how far all runs are.
package sweep
