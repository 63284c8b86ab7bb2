// Package multitask is multi-task learning: an encoder that all training tasks
// share, with a linear classifier for each of them, fine-tuned on the support set
// of a test task together with a classifier of its own (docs/methods.md).
//
//  1. Training: the logits of molecule x in task t are W_t·x + b_t; the loss is the
//     mean cross entropy of all labelled molecules of a batch.
//  2. For a test task, a copy of the encoder and a new classifier make gradient steps with
//     the same loss on its support set. Package model makes the copy and the steps.
package multitask
