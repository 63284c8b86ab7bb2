// Package runconfig defines everything that a training run depends on as one struct: data,
// model, episodes and training. Package config fills it from the user's settings. A run's
// folder and its checkpoints contain it, and their readers need no trainer.
//
//  1. Config (config.go) composes the parts' structs; the yaml names are those of
//     the settings. Train and Episode are in train.go, the model's in package
//     model.
//  2. Validate checks the whole before anything is opened.
//  3. Encode and Decode (file.go) convert it to YAML and back. FirstDifference finds a
//     setting that prevents one run from continuing another.
//  4. Location (location.go) finds the data set from any folder.
package runconfig
