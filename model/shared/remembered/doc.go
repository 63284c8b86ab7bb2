// Package remembered stores the labels of training tasks with a model, so that a checkpoint can be used
// without the data set. They are buffers with names that begin with [model.MemoryPrefix]. A molecule is
// identified by its fingerprint.
package remembered
