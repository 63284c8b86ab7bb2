// Package ops is the layer of coarse differentiable operations from which the model is built. A
// call of gotch costs more than a small matrix product, so a whole layer of a network is one call
// here: a Go function on gotch tensors, with C++ on libtorch behind a C interface.
//
// A training step goes through it in this order:
//
//  1. [NewGraph] copies a batch of molecules to the device, with the distinct
//     environments of their atoms, on which the first layers run.
//  2. [Embed], then for each encoder layer [Convolution.Layer], [SegmentMean] of the
//     support, [Hypernetwork.Task], and [FiLM] with the hypernetwork's output.
//  3. [MLP] projects the molecules. [Relation.Layer] compares them and exchanges
//     messages between them, layer by layer.
//  4. [Classifier] and [Loss] compute one number, and [Backward] its gradients.
//  5. [Adam.Step] clips, updates and clears the gradients.
//
// An operation is one row of a table (core/registry.hh): its name, its plain form, its loops and its
// kernels. The plain form is a few calls of ATen, differentiable twice; it defines the operation,
// and the tests compare the others with it. Loops for the CPU and kernels for a GPU exist where
// they are faster. The choice among them is made in core/run.cc, by the device of the inputs; an
// operation without a form of its own for a device runs its plain one.
//
// An operation of one method or one encoder stands beside it, such as those of package model/par; package ops
// has those that several share, and [Named] finds both. The C++ is in packages of C++ alone, by families, so that a
// change to one compiles no other: [pacia/ops/encoder], [pacia/ops/readout], [pacia/ops/relation], [pacia/ops/head]
// and others, and model/par/op. They build on [pacia/ops/core], [pacia/ops/product] and [pacia/ops/layers], with
// headers in [pacia/ops/include].
// [pacia/ops/tensors], [pacia/ops/lists] and [pacia/ops/adam] hold C++ that is not an operation.
//
// All tasks of a step are processed together. Calculations per task, such as batch norm, work on
// groups of rows, which are given by offsets.
//
// Every tensor that a function returns belongs to the caller, who drops it. OpenMP keeps a pool of
// threads for every thread that calls it. So do all tensor work on one locked OS thread.
package ops
