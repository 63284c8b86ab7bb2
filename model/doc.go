// Package model is the part that all methods of learning from few molecules share. Each
// method is a package below this one, and package methods is the table of them.
//
//  1. config.go: the settings of a model, common ones and the method's own. method.go:
//     the definition of a method, as its line in the table ([Spec]) and as code
//     ([Method], [Task]).
//  2. body.go: encoder and readout, from atoms to a vector of each molecule (Eq. 2).
//     batch.go: the molecules of a step on the device.
//  3. step.go: a training step. On a GPU stepper.go submits steps without waiting for
//     them, as steps of batches of one shape (shapedstep.go).
//  4. task.go: adapting to a support set, and scoring queries, which queries.go cuts into
//     batches; statecache.go keeps the encoder's states of atoms' surroundings for the
//     batches to come. tuning.go: gradient steps on a copy of the model before that.
//     inspect.go: the stages that molecules go through.
//
// An encoder reads categories of atoms, as MoleculeNet has them, features of atoms, as
// FS-Mol has them, atoms in space, fingerprints, or vectors: its [pacia/gnn.Reading].
package model
