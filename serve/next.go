package serve

import (
	"net/http"

	"pacia/screen"
	"pacia/screen/ranking"
)

// next picks the batch of molecules to measure next, if the job's form asks for one, and records the changes
// of the support set since the previous round.
func (s *Server) next(j *job, r *screen.Ranker) error {
	f := j.form
	if f.batch == 0 {
		return nil
	}
	if f.explore > 0 && !r.Spill.Uncertainty {
		return problem{Status: http.StatusBadRequest, What: "the model does not state how uncertain it is", Fix: "leave out explore"}
	}
	expected, err := r.Batch(j.ctx, f.batch, f.explore, screen.Shown(r.Support, f.prior))
	if err != nil {
		return err
	}
	j.update(func() { j.facts.Batch = &expected })
	if f.before == nil {
		return nil
	}
	labels, err := f.labelling.Parse()
	if err != nil {
		return err
	}
	round := *f
	round.support = f.before
	earlier, err := s.support(j.ctx, &round, labels)
	if err != nil {
		return err
	}
	changed := ranking.KnownOf(earlier).Changed(j.ctx, r.Support, f.before.name)
	j.update(func() { j.facts.Changed = changed })
	return nil
}
