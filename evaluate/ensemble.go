package evaluate

import (
	"errors"
	"math"

	"pacia/data"
	"pacia/internal/badinput"
	"pacia/model"
	"pacia/ops"
)

// Together returns the adapter of models that are asked side by side: a query's
// probability is the mean of theirs, its spread their standard deviation (of M members,
// with M − 1 below the sum of squares), and its depth that of the first. They must read
// molecules alike ([Alike]). Of one model it is [Of].
func Together(members []*model.Model) Adapter {
	if len(members) == 1 {
		return Of(members[0])
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

// Alike reports models that do not read molecules as the first one does.
func Alike(members []*model.Model) error {
	for i, m := range members {
		if i > 0 && featurizerOf(m.Config()).Name != featurizerOf(members[0].Config()).Name {
			return &badinput.Error{What: "the checkpoints do not read molecules alike: some graphs, some fingerprints", Fix: "take ones of one model.encoder and one kind of data"}
		}
	}
	return nil
}

// ensemble is models adapted to one task.
type ensemble struct{ members []*model.Adapted }

func (e *ensemble) Support() int       { return e.members[0].Support() }
func (e *ensemble) Device() ops.Device { return e.members[0].Device() }

func (e *ensemble) Drop() {
	for _, m := range e.members {
		m.Drop()
	}
}

// EnableUncertainty makes all members tell, or reports that one of them cannot.
func (e *ensemble) EnableUncertainty() (bool, error) {
	all := true
	var errs []error
	for _, m := range e.members {
		can, err := m.EnableUncertainty()
		all, errs = all && can, append(errs, err)
	}
	return all, errors.Join(errs...)
}

func (e *ensemble) Score(queries *data.Batch) ([]float32, []int32, error) {
	all, err := e.ScoreAll(queries)
	return all.Probability, all.Depth, err
}

// ScoreAll joins what the members say; an uncertainty is the mean of theirs.
func (e *ensemble) ScoreAll(queries *data.Batch) (model.Scored, error) {
	said := make([]model.Scored, len(e.members))
	told := true
	for i, m := range e.members {
		var err error
		if said[i], err = m.ScoreAll(queries); err != nil {
			return model.Scored{}, err
		}
		told = told && said[i].Uncertainty != nil
	}
	all := model.Scored{Depth: said[0].Depth, Potency: potencies(said)}
	for q := range said[0].Probability {
		mean, deviation := moments(len(said), func(i int) float32 { return said[i].Probability[q] })
		all.Probability, all.Spread = append(all.Probability, mean), append(all.Spread, deviation)
		if told {
			mean, _ = moments(len(said), func(i int) float32 { return said[i].Uncertainty[q] })
			all.Uncertainty = append(all.Uncertainty, mean)
		}
	}
	return all, nil
}

// potencies are the means of what members predict, and of the ends of their intervals; nil where
// they learnt labels.
func potencies(said []model.Scored) []model.Potency {
	if said[0].Potency == nil {
		return nil
	}
	all := make([]model.Potency, len(said[0].Potency))
	n := float32(len(said))
	for q := range all {
		for _, s := range said {
			p := s.Potency[q]
			all[q].Value, all[q].Low, all[q].High = all[q].Value+p.Value/n, all[q].Low+p.Low/n, all[q].High+p.High/n
		}
	}
	return all
}

// moments are the mean and the standard deviation of n > 1 values.
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
