package train

import (
	"strings"

	"pacia/data"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/runconfig"
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
	Adapt(support *data.Batch) (adapted, error)
	// State lists every tensor that training changes, in a fixed order.
	State() []variable
	// Steps returns the updates made so far, none of them being under way;
	// SetSteps continues after n.
	Steps() int64
	SetSteps(n int64)
	// Parts counts the trainable parameters, by part of the model, and those
	// that are adapted to a task.
	Parts() (parts []model.PartCount, adaptive int)
	// Tensors returns the number of gotch tensors made so far.
	Tensors() int64
	// Drop frees the tensors.
	Drop()
}

// adapted is a model adapted to one task.
type adapted interface {
	// Prepare does the part of Score that needs no tensors. It may be called
	// from another thread.
	Prepare(queries *data.Batch)
	// Score returns P(active) of each query and the depth that was used, 1 to
	// L_rel (B = 1, no support).
	Score(queries *data.Batch) (probability []float32, depth []int32, err error)
	// Device is where it computes.
	Device() ops.Device
	Drop()
}

// variable is one tensor of a learner.
type variable struct {
	Name  string
	Shape []int64
	Read  func() ([]float32, error)
	Write func([]float32) error
}

// optimiserPrefix starts the names of the optimiser's tensors.
const optimiserPrefix = "adam."

// forTraining reports whether prediction does without a tensor of a model of c:
// those of the optimiser, and what the method needs for training alone.
func forTraining(c runconfig.Config, name string) bool {
	own := methods.Traits(c.Model.Method).TrainingOnly
	return strings.HasPrefix(name, optimiserPrefix) || own != "" && strings.HasPrefix(name, own)
}
