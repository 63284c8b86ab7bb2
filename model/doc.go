// Package model is what all methods of learning from episodes share. A method is
// a folder below it and a line in the table of package methods.
//
//  1. method.go says what a method is: a Spec, its Traits, and the interfaces that
//     it implements.
//  2. config.go has the settings that all methods share; the method's own stand
//     beside them.
//  3. body.go: the encoder of molecules and their readout (Eqs. 1 and 2), on which a
//     method builds; batch.go: a batch on the device.
//  4. step.go: a training step. On a GPU stepper.go records steps as CUDA graphs, of
//     which program.go holds one for each shape of a batch.
//  5. task.go: a model adapted to one task, which scores queries (queries.go);
//     tuning.go: gradient steps on a copy of the model, for methods that adapt so.
//  6. inspect.go looks into the stages of methods that have a relation graph.
//
// Molecules come with the categories of MoleculeNet's atoms, or, for the encoder
// pna, with the features of FS-Mol's; see [Config.CheckAtoms].
package model
