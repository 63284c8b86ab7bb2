package train

import (
	"pacia/data"
	"pacia/evaluate"
	"pacia/model"
	"pacia/run/checkpoint"
)

// learner is a model with its optimiser, as the episode loop uses it. All methods
// except Prepare are called from one operating system thread. Methods other than
// Prepare, Submit, Collect, Ahead and Tensors are called only while no step is under way.
type learner interface {
	// Prepare does the part of Submit that needs no tensors. It may be called
	// from another thread.
	Prepare(b *data.Batch)
	stepper
	// Adapt adapts the model to a support set (B = 1, no queries).
	Adapt(support *data.Batch) (evaluate.Adapted, error)
	// Averaged calls f while the model has the average of its weights, where one is kept.
	Averaged(f func() error) error
	// Flush applies updates that steps have deferred.
	Flush() error
	// Complete brings everything that State lists up to date, before it is saved.
	Complete() error
	// State lists every tensor that training changes, in a fixed order.
	State() []checkpoint.Variable
	// StartFrom copies the encoder of a file to the model.
	StartFrom(path string) error
	// Steps returns the number of updates made so far. SetSteps sets it to n.
	Steps() int64
	SetSteps(n int64) error
	// Parts counts the trainable parameters, by part of the model, and those
	// that are adapted to a task.
	Parts() (parts []model.PartCount, adaptive int)
	// Tensors returns the number of gotch tensors made so far.
	Tensors() int64
	// Drop frees the tensors.
	Drop()
}
