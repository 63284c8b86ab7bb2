package serve

import (
	"net/http"

	"pacia/evaluate"
	"pacia/model"
	"pacia/screen"
	"pacia/screen/ranking"
)

// next picks the batch of molecules to measure next, if the job's form asks for one, and records the changes
// of the support set since the previous round.
func (s *Server) next(j *job, r *screen.Ranker) error {
	f := j.form
	if f.Batch == 0 {
		return nil
	}
	expected, err := r.Batch(j.ctx, f.Batch, f.Explore, s.calibrated(screen.Shown(r.Support, f.Share())))
	if err != nil {
		return err
	}
	j.update(func() { j.facts.Batch, j.facts.Lack = &expected, r.Lack(f.Batch) })
	if j.earlier == nil {
		return nil
	}
	changed := ranking.KnownOf(j.earlier).Changed(j.ctx, r.Support, f.file("before").name)
	j.update(func() { j.facts.Changed = changed })
	return nil
}

// calibrated returns shown if the probabilities of the model are calibrated, so that they add up to a number of actives,
// and nil otherwise.
func (s *Server) calibrated(shown func(float32) float64) func(float32) float64 {
	if s.options.Model.Traits().Calibrates {
		return shown
	}
	return nil
}

// able refuses what the model cannot do for a form.
func (s *Server) able(f *form) error {
	m := s.options.Model
	no := func(what, fix string) error {
		return problem{Status: http.StatusBadRequest, What: what, Fix: fix}
	}
	switch {
	case f.Labels.Numbers && !m.Traits().Measures:
		return no("the model learns labels alone, active or inactive", "leave out potency, and choose the column as label")
	case f.Explore > 0 && !m.Traits().Uncertainty:
		return no("the model does not state how uncertain it is", "leave out explore")
	case f.Refine > 0 && !m.Config().Embeds():
		return no("refine has no effect: the model does not compare vectors of MiniMol", "leave it out")
	case f.Reasons > 0:
		return refused(evaluate.Explainable([]*model.Model{m}))
	}
	return nil
}
