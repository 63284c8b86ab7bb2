package inner

import (
	"fmt"

	"pacia/data"
	"pacia/model"
	"pacia/ops"
)

// Tuner is the part of a [model.Tuner] that steps of plain gradient descent on a support set need.
type Tuner struct {
	Adapted func() ops.List // φ
}

// Begin does nothing.
func (Tuner) Begin() error { return nil }

// Examples returns the support molecules.
func (Tuner) Examples(support *data.Batch) *data.Batch { return support }

// Optimiser returns plain gradient descent.
func (t Tuner) Optimiser(c model.Tuning) (model.Optimiser, error) {
	return &descent{t.Adapted(), c.LearningRate, c.ClipNorm}, nil
}

// Check returns an error if a batch lacks data: a training step needs labelled support and queries, and a step on a support
// set alone needs one task and its labels.
func Check(h *data.Batch) error {
	if len(h.QueryMol) > 0 {
		return model.CheckEpisodes(h)
	}
	if h.Tasks != 1 || h.Support == 0 || len(h.SupportLabel) != h.Support {
		return fmt.Errorf("step on a support set: %d tasks of %d molecules with %d labels; one task is needed, and all labels",
			h.Tasks, h.Support, len(h.SupportLabel))
	}
	return nil
}
