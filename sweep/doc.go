// Package sweep makes many training runs that differ in their settings.
//
//  1. A file (file.go) names a base, the settings that vary – a grid, a list or
//     a random sample (vary.go) – and seeds. Read turns it into a Plan: the runs,
//     each with a name (name.go) and all its settings, checked before any begins.
//  2. Every run has a line of state in DIR/state/NAME.json (state.go), all its
//     settings in DIR/settings/NAME.yaml, its folder in DIR/NAME, and its output
//     in DIR/logs. Begin compares them with the plan.
//  3. Run (queue.go) makes the runs, up to the allowed number at a time on each
//     device. Each run is a separate process (process.go), which holds a lock until
//     it ends. A run that fails or is killed does not stop the others.
//  4. On a cluster the runs are a job array (slurm.go), and each task of the array
//     makes one run. They communicate only through the files.
//  5. A Board (board.go) reads the progress of all runs.
package sweep
