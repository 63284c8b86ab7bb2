// Package remembered is the labels of training tasks that a method keeps with its model, so that a
// checkpoint needs no data set beside it: buffers with names that begin with [model.MemoryPrefix].
// A molecule is recognised by its fingerprint: molecules with one fingerprint are one.
package remembered
