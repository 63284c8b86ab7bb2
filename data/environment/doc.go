// Package environment finds the atoms of a batch that have equal environments.
//
// [Classes.Refine] divides atoms into classes, level by level. [Classes.Identify] names the
// environments. By these names, a [StateCache] finds states that were encoded for earlier batches.
package environment
