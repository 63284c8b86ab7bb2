// Package loop is what training and pretraining share: a run of steps that can be stopped, killed and resumed.
//
//  1. [MakeFolder] makes the folder of a run. [Held] finds the file of another run in it.
//  2. [Open] opens the run's log, a file of JSON lines, and locks it: a folder has one run at a time. Each line is also an
//     event of TensorBoard. The state of a run holds the [Mark] of its log, from which [Log.Cut] resumes.
//  3. [Loop.Run] makes the steps. Measuring and saving come first, so that a resumed run makes up for those that it was
//     stopped before.
//  4. [Clock] measures the time of the run over all its processes.
package loop
