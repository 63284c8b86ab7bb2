package counts

import (
	"errors"

	"github.com/sugarme/gotch/ts"

	"pacia/model"
	"pacia/ops"
)

// Legend: Q queries.

// Untrained is the common part of each [model.Method] without training and without
// parameters.
type Untrained struct{ *model.Body }

// Traits are the traits of such a method.
var Traits = model.Traits{Untrained: true, NoEncoder: true, Fingerprints: true}

// Measures are the traits of such a method that also learns measured values.
var Measures = func() model.Traits {
	t := Traits
	t.Measures = true
	return t
}()

var errUntrained = errors.New("this model.method has nothing to train; write train.episodes=0")

// Loss always ends with an error: there is nothing to train.
func (Untrained) Loss(_ *model.Batch, _ ops.Mode, s *ops.Scope) *ts.Tensor {
	s.Check(errUntrained)
	return nil
}

// Adaptive is 0: the method has no parameters.
func (Untrained) Adaptive() int { return 0 }

// Support returns the counts of the molecules of a support set, which live as long
// as its batch, and their labels.
func (Untrained) Support(b *model.Batch, s *ops.Scope) ([]Vector, []uint8) {
	v := ops.Try(Vectors(b.Host, b.Host.SupportMol)).In(s)
	return v, b.Host.SupportLabel
}

// Each scores the queries of a batch by a function that returns the logits of a
// molecule's classes, inactive and active. Only their difference matters.
func (u Untrained) Each(queries *model.Batch, s *ops.Scope, logits func(Vector) (inactive, active float64)) model.Scores {
	v := ops.Try(Vectors(queries.Host, queries.Host.QueryMol)).In(s)
	all := make([]float64, 2*len(v))
	for q := range v {
		all[2*q], all[2*q+1] = logits(v[q])
	}
	return model.Scores{Logits: u.Placed(all, s), Layers: 1}
}
