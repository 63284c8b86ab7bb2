// Package modeltest is what tests of package model and of its methods share.
//
//  1. device.go: on which device, on how many threads, and on which operations a
//     test runs.
//  2. molecules.go, episodes.go: random molecules, and batches of them.
//  3. model.go: small models, and what they calculate, as plain numbers.
//  4. compare.go: numbers against numbers, errors against words.
//  5. exercise.go, outcome.go, training.go, slopes.go: what any method has to
//     satisfy: a step, adapting and scoring with finite numbers; the same on the
//     kernels for a GPU as on the loops for the CPU; the same under a stepper;
//     gradients that are the slopes of the loss.
//
// It knows no method: a test passes the Spec of the one that it is about.
package modeltest
