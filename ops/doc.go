// Package ops is the layer of coarse differentiable operations that the model
// is made of. A call of gotch costs more than a small matrix product, so a
// whole layer of a network is one call here: a Go function on gotch tensors,
// with C++ on libtorch behind a C interface.
//
// The way of a training step through it:
//
//  1. [NewGraph] puts a batch of molecules on the device, and with it the
//     distinct surroundings of their atoms, on which the first layers run.
//  2. [Embed], then for each encoder layer [GIN.Layer], [SegmentMean] of the
//     support, [Hyper], and [FiLM] with what the hypernetwork says.
//  3. [MLP] projects the molecules, [Relation.Layer] compares them and lets
//     them exchange what they know, layer by layer.
//  4. [Classifier] and [Loss] end in one number, [Backward] goes back.
//  5. [Adam.Step] clips, updates and clears the gradients.
//
// An operation is one row of a table, table.cc: its name, its plain form, its
// loops and its kernels. The plain form is a few calls of ATen, differentiable
// twice; it defines the operation, and the tests compare the others with it.
// Loops for the CPU and kernels for a GPU are there where they are faster. Which
// of them runs is decided in core/run.cc, by the device of the inputs; an
// operation without a form of its own for a device runs its plain one.
//
// The C++ of the operations is in packages of C++ alone, by families, so that a
// change to one compiles no other: [pacia/ops/encoder], [pacia/ops/pna],
// [pacia/ops/gnnfilm], [pacia/ops/readout], [pacia/ops/relation], [pacia/ops/head]. They are made of
// [pacia/ops/core], [pacia/ops/product] and [pacia/ops/layers], whose headers are
// in [pacia/ops/include]; and [pacia/ops/tensors], [pacia/ops/lists] and
// [pacia/ops/adam] are what is no operation.
//
// All tasks of a step go through together. What is per task, batch norm
// above all, works on groups: offsets say which rows belong together.
//
// Every tensor that a function returns belongs to the caller, who drops it.
// OpenMP keeps a pool of threads for every thread that calls it: do all
// tensor work on one locked OS thread.
package ops
