package evaluate

import (
	"pacia/data"
	"pacia/data/molecule"
	"pacia/internal/badinput"
	"pacia/model"
)

// explainer is an Adapted of one model.
type explainer interface {
	Explain(queries *data.Batch) ([]model.Explanation, error)
}

// Explainable returns a *badinput.Error unless members is one model whose scores are sums over
// the support set.
func Explainable(members []*model.Model) error {
	if len(members) > 1 {
		return &badinput.Error{What: "reasons explain a single model, but several checkpoints are given", Fix: "name one checkpoint, or ask for no reasons"}
	}
	if m := members[0]; !m.Traits().Explains {
		return &badinput.Error{
			What: "reasons: a score of model.method=" + m.Config().Method + " is not a sum over the support molecules and has no exact shares",
			Fix:  "use the model that ships, or model.method kernel, gp or similarity; or ask for no reasons",
		}
	}
	return nil
}

// Explain splits the scores of molecules of a store into shares of the support molecules. The model
// must be [Explainable].
func (s *Scorer) Explain(store molecule.List, rows []int32) (all []model.Explanation, err error) {
	job := func() error {
		for _, batch := range model.QueryBatches(store, rows, s.Support(), s.Device()) {
			b, err := data.AssembleQueries(store, batch)
			if err != nil {
				return err
			}
			more, err := s.Adapted.(explainer).Explain(b)
			if err != nil {
				return Advised(err)
			}
			all = append(all, more...)
		}
		return nil
	}
	err = s.run(job)
	return all, err
}
