// Package train turns settings and a data set into a trained model.
//
//  1. Run checks everything first (setup.go, tasks.go): settings, data, the
//     size of every task, and on --resume that the folder holds the same run
//     (resume.go).
//  2. An episode is one optimisation step on B tasks, taken from a shuffled
//     order of the training tasks, pass after pass (episodes.go). Its draws are
//     a pure function of the seed and its number. The batch of the next step is
//     assembled while a step runs.
//  3. The loop (run.go, package run/loop): evaluate and save if due, then make the next steps
//     (steps.go): draw, forward and backward, check that the loss is finite, update,
//     report. Several steps may be under way at a time (stepper.go). A step that fails is
//     written to a file (failed.go). After the first steps the run reports how long it is
//     likely to take (forecast.go). Each step is a line of metrics.jsonl (metricslog.go);
//     package tensorboard turns the line into an event.
//  4. Package evaluate makes the evaluations (evaluation.go). progress.go keeps the best
//     by each criterion and sums up the results of a run.
//  5. checkpoints.go copies the content of a checkpoint from the model, and writes it
//     while the next steps run. A lost device ends a run, which can be resumed from
//     its last checkpoint (lost.go). A run that was killed and resumed ends with the same
//     weights as an undisturbed one, bit for bit on a CPU with the same number of
//     threads, and with the same metrics.jsonl except for the times.
//  6. RunReplicas (replicas.go) makes several runs side by side. A Workbench
//     (workbench.go) exposes the parts of a run for measurements.
//
// learner.go is the interface between the loop and the model. trainee.go implements
// it with a model of package model.
package train
