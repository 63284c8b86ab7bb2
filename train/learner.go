package train

import (
	"pacia/data"
	"pacia/evaluate"
	"pacia/model"
	"pacia/run/checkpoint"
)

// learner is a model with its optimiser, as the episode loop sees it. All of
// its methods are called from one operating system thread, and those other than
// Prepare, Submit and Tensors only while no step is under way.
type learner interface {
	// Prepare does the part of Submit that needs no tensors. It alone may be
	// called from another thread.
	Prepare(b *data.Batch)
	stepper
	// Adapt makes the model that a support set stands for (B = 1, no queries).
	Adapt(support *data.Batch) (evaluate.Adapted, error)
	// Averaged calls f while the model has the average of its weights, where one is kept.
	Averaged(f func() error) error
	// Flush makes the updates that steps left for later. It goes before State.
	Flush() error
	// State lists every tensor that training changes, in a fixed order.
	State() []checkpoint.Variable
	// StartFrom copies the encoder of a file to the model.
	StartFrom(path string) error
	// Steps returns the updates made so far, none of them being under way;
	// SetSteps continues after n.
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
