// Package runconfig holds everything that a training run depends on, as one struct: which
// data, which model, which episodes, how it is trained. Package config fills it from the
// user's settings. A run's folder and its checkpoints carry it, and their readers need no
// trainer.
//
//  1. Config (config.go) composes the parts' structs; the yaml names are those of
//     the settings. Train and Episode are in train.go, the model's in package
//     model.
//  2. Validate checks the whole before anything is opened.
//  3. Encode and Decode (file.go) are its form on the disk. FirstDifference finds the
//     setting that keeps one run from continuing another.
package runconfig
