// Package modeltest has helpers for tests of package model and of its methods.
//
//  1. device.go: the device, the number of threads, and the operations of a test.
//  2. molecules.go, episodes.go, fingerprints.go: random molecules, and batches of them.
//  3. model.go: small models, and their results, as plain numbers.
//  4. compare.go: comparisons of numbers, and of errors with words; published.go: comparisons
//     with results of published code.
//  5. exercise.go, outcome.go, training.go, slopes.go, explain.go: requirements of any method: a
//     step, adapting and scoring with finite numbers; the same on the kernels for a GPU
//     as on the loops for the CPU; the same under a stepper; gradients that are the
//     slopes of the loss; explanations that add up to the scores.
//
// It imports no method: a test passes the Spec of its method.
package modeltest
