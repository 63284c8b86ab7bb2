// Package model is the part that all few-shot methods share. Each method is a package
// below this one, and package methods has the table of them.
//
//  1. config.go: the settings of a model, common ones and the method's own. method.go:
//     the definition of a method, as its line in the table ([Spec]) and as code
//     ([Method], [Task]).
//  2. body.go: encoder and readout, from atoms to a vector of each molecule (Eq. 2).
//     batch.go: the molecules of a step on the device.
//  3. step.go: a training step. On a GPU stepper.go submits steps without waiting for
//     them, grouped by the shape of their batches (shapedstep.go).
//  4. task.go: adapting to a support set, and scoring queries. queries.go splits queries
//     into batches, and statecache.go caches the encoder's states of atom environments for
//     later batches. tuning.go: gradient steps on a copy of the model before adapting.
//     inspect.go: the intermediate results of a model.
//
// An encoder reads categories of atoms (MoleculeNet), features of atoms (FS-Mol), atoms in
// space, fingerprints, or vectors: its [pacia/gnn.Reading].
package model
