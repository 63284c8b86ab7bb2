package train

import (
	"strings"

	"pacia/data"
)

// learner is a model with its optimiser, as the episode loop sees it. All of
// its methods are called from one operating system thread.
type learner interface {
	// Prepare does the part of Backward that needs no tensors. It alone may be
	// called from another thread.
	Prepare(b *data.Batch)
	// Backward computes the loss of b and leaves its gradients in the
	// parameters. The dropout masks are a function of dropout.
	Backward(b *data.Batch, dropout uint64) (loss float64, err error)
	// Step updates the parameters and clears their gradients. It returns the
	// norm of the gradient before clipping; where that is not finite, the
	// error says so and nothing was updated.
	Step() (norm float64, err error)
	// Adapt makes the model that a support set stands for (B = 1, no queries).
	Adapt(support *data.Batch) (adapted, error)
	// State lists every tensor that training changes, in a fixed order.
	State() []variable
	// Steps returns the updates made so far; SetSteps continues after n.
	Steps() int64
	SetSteps(n int64)
	// Parts counts the trainable parameters, by part of the model, and those
	// that are adapted to a task.
	Parts() (parts []PartCount, adaptive int)
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
	Drop()
}

// variable is one tensor of a learner.
type variable struct {
	Name  string
	Shape []int64
	Read  func() ([]float32, error)
	Write func([]float32) error
}

// optimiserPrefix starts the names of the optimiser's tensors, which
// prediction does not need.
const optimiserPrefix = "adam."

func ofOptimiser(name string) bool { return strings.HasPrefix(name, optimiserPrefix) }
