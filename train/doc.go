// Package train turns settings and a data set into a trained model.
//
//  1. Run checks everything first (setup.go, tasks.go): settings, data, the
//     size of every task, and on --resume that the folder holds the same run
//     (resume.go).
//  2. An episode is one optimisation step on B tasks, taken from a shuffled
//     order of the training tasks, pass after pass (episodes.go). What it draws
//     is a pure function of the seed and its number. The batches of the next
//     one are assembled while the step runs.
//  3. The loop (run.go): evaluate and save if it is time, then make the next
//     steps (steps.go): draw, forward and backward, check that the loss is
//     finite, update, report. Several may be under way at a time (stepper.go).
//     A step that fails is left on the disk (failed.go). After the first ones
//     the run says how long it is likely to take (forecast.go). Each step is a line of
//     metrics.jsonl (metricslog.go), which package tensorboard makes an event of.
//  4. An evaluation (evaluation.go) is one of package evaluate. progress.go keeps
//     the best by each criterion and sums up what a run found.
//  5. checkpoints.go takes the content of a checkpoint from the model at once, and
//     writes it while the next steps run. A device that is lost ends a run, which
//     can then go on from its last one (lost.go).
//     A run that was killed and resumed ends with the same weights, bit for bit
//     on a CPU with the same number of threads, and the same metrics.jsonl but
//     for the times, as one that was not.
//  6. RunReplicas (replicas.go) makes several runs side by side; a Workbench
//     (workbench.go) is a run taken to pieces, to be measured.
//
// learner.go is the model as the loop sees it, trainee.go the model of package
// model behind it.
package train
