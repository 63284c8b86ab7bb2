package evaluate

import (
	"errors"
	"math"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/model"
	"pacia/ops"
)

// Together returns the adapter of an ensemble of M models. A query's probability is the
// mean of the members' probabilities, its spread their standard deviation (divisor
// M − 1), and its depth the depth of the first member. All members must read the
// support set ([Inputs]). For one model it returns [AdapterOf].
func Together(members []*model.Model) Adapter {
	if len(members) == 1 {
		return AdapterOf(members[0])
	}
	return func(support *data.Batch) (Adapted, error) {
		e := &ensemble{}
		for _, m := range members {
			a, err := m.Adapt(support)
			if err != nil {
				e.Drop()
				return nil, err
			}
			e.members = append(e.members, a)
		}
		return e, nil
	}
}

// Inputs returns the form of molecules that all models can read: that of the first one, with vectors or descriptors that
// only others need. It returns a *badinput.Error if the forms differ in more.
func Inputs(members []*model.Model) (molecule.Featurizer, error) {
	return inputs(each.Of(members, (*model.Model).Config))
}

func inputs(models []model.Config) (form molecule.Featurizer, err error) {
	for i, c := range models {
		joined, ok := Featurizer(c), true
		if i > 0 {
			joined, ok = form.Joined(joined)
		}
		if form = joined; !ok {
			return form, &badinput.Error{What: "the checkpoints read different inputs, such as graphs and fingerprints",
				Fix: "use checkpoints with the same model.encoder and the same kind of data"}
		}
	}
	return form, nil
}

// bareInputs returns Inputs without vectors of a pretrained encoder, except those that an encoder reads.
func bareInputs(members []*model.Model) (molecule.Featurizer, error) {
	return inputs(each.Of(members, func(m *model.Model) model.Config { return m.Config().Embedding(false) }))
}

// Refinable reports whether models can read molecules with vectors of a pretrained encoder and without.
func Refinable(members []*model.Model) bool {
	form, err := Inputs(members)
	bare, _ := bareInputs(members)
	return err == nil && form.Name != bare.Name
}

// ensemble holds models adapted to one task.
type ensemble struct{ members []*model.Adapted }

func (e *ensemble) Support() int       { return e.members[0].Support() }
func (e *ensemble) Device() ops.Device { return e.members[0].Device() }

func (e *ensemble) Drop() {
	for _, m := range e.members {
		m.Drop()
	}
}

// EnableUncertainty enables uncertainties in all members, and reports whether all can estimate them.
func (e *ensemble) EnableUncertainty() (bool, error) {
	all := true
	var errs []error
	for _, m := range e.members {
		can, err := m.EnableUncertainty()
		all, errs = all && can, append(errs, err)
	}
	return all, errors.Join(errs...)
}

// ScoreAll combines the scores of the members.
func (e *ensemble) ScoreAll(queries *data.Batch) (model.Scored, error) {
	scores := make([]model.Scored, len(e.members))
	for i, m := range e.members {
		var err error
		if scores[i], err = m.ScoreAll(queries); err != nil {
			return nil, err
		}
	}
	all := make(model.Scored, len(scores[0]))
	for q := range all {
		all[q] = combined(each.Of(scores, func(of model.Scored) model.Score { return of[q] }))
	}
	return all, nil
}

// combined returns the score of an ensemble from those of its members for one query. The uncertainty is the mean of the
// members' uncertainties, and so are the potency and the ends of its interval.
func combined(members []model.Score) model.Score {
	n, all := len(members), model.Score{Depth: members[0].Depth}
	all.Probability, all.Spread = moments(n, func(i int) float32 { return members[i].Probability })
	all.LogOdds = together(n, func(i int) float32 { return members[i].LogOdds })
	all.Uncertainty, _ = moments(n, func(i int) float32 { return members[i].Uncertainty })
	for _, s := range members {
		p, of := &all.Potency, float32(n)
		p.Value, p.Low, p.High = p.Value+s.Potency.Value/of, p.Low+s.Potency.Low/of, p.High+s.Potency.High/of
	}
	return all
}

// moments returns the mean and the standard deviation of n > 1 values.
func moments(n int, of func(i int) float32) (mean, deviation float32) {
	sum, squares := 0.0, 0.0
	for i := range n {
		sum += float64(of(i))
	}
	for i := range n {
		d := float64(of(i)) - sum/float64(n)
		squares += d * d
	}
	return float32(sum / float64(n)), float32(math.Sqrt(squares / float64(n-1)))
}
