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
// Beside each operation whose C++ does more than call ATen stands its plain
// reference (the *_reference.hh files), which the tests compare it with,
// forward and backward. The reference is also what runs on a device for which
// the operation has no loops of its own: on a GPU, the sums over neighbours of
// [Mean] and [Attention], which are gathers and index_add there.
//
// All tasks of a step go through together. What is per task, batch norm
// above all, works on groups: offsets say which rows belong together.
//
// Every tensor that a function returns belongs to the caller, who drops it.
// OpenMP keeps a pool of threads for every thread that calls it: do all
// tensor work on one locked OS thread.
package ops
