package kernel

import (
	"cmp"

	"gonum.org/v1/gonum/floats"

	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/past"
	"pacia/ops"
)

// Legend: n molecules of a trial, N support molecules, Q queries, A past assays.

// Trial returns how the support set and queries are compared without past assays, with or without vectors of the pretrained encoder.
func (t *task) Trial(queries *model.Batch, s *ops.Scope) *model.Trial {
	m, _ := t.read(queries, queries.QueryMol, queries.Host.QueryMol, t.stats, s)
	room := *t
	if t.bare != nil && len(m.vectors) == 0 {
		room = *t.bare
	}
	room.apart()
	trial := &model.Trial{Support: len(t.alpha), Alike: len(room.support.vectors) > 0}
	for _, of := range []molecules{room.support, m} {
		whole, alone := room.compared(of, trial.Expected == nil)
		for i := range whole {
			trial.Kernel = append(trial.Kernel, each.As[float32](whole[i])...)
			trial.Structure = append(trial.Structure, each.As[float32](alone[i])...)
			trial.Expected = append(trial.Expected, float32(room.general(of, i)))
		}
	}
	return trial
}

// terms returns the term of past assays in the kernel of molecules and each support molecule: [n, N], or nothing without past
// assays. itself is set if the molecules are the support molecules.
func (c *recollection) terms(rows []row, n int, itself bool) (all [][]float64) {
	for i, r := range rows {
		near := make([]float64, n)
		c.term(r, near)
		if itself {
			near[i] = c.self(r)
		}
		all = append(all, near)
	}
	return all
}

// Judge returns the scores of a trial's queries by past assays, for each weights: [weights, Q].
func (k *kernel) Judge(t *model.Trial, keys []uint64, weights []past.Weights) (all [][]float64, err error) {
	j := &judged{trial: t, rows: k.past.labelled(keys)}
	for _, w := range weights {
		scores, err := j.scores(k.past.weighted(w), k.Noise)
		if err != nil {
			return nil, err
		}
		all = append(all, scores)
	}
	return all, nil
}

// weighted returns past assays with other weights, those of the method if they are zero.
func (h *history) weighted(w past.Weights) *history {
	if h == nil {
		return nil
	}
	of := *h
	of.Weights = cmp.Or(w, past.Usual)
	return &of
}

// judged is a trial whose molecules have labels in past assays.
type judged struct {
	trial *model.Trial
	rows  []row // [n]; nil without past assays

	agreement float64     // of the cosines
	cosines   [][]float64 // [n, N] as weights with this agreement have them; nil: not yet
	past      bool        // a support molecule was measured
	without   []float64   // scores without past assays; nil: not yet
}

// compare sets the cosines.
func (j *judged) compare(h *history, targets []float64) {
	if h == nil || j.cosines != nil && j.agreement == h.Weights.Agreement {
		return
	}
	n := j.trial.Support
	c := h.recollect(j.rows[:n], targets)
	c.weight = 1
	j.agreement, j.past = h.Weights.Agreement, len(c.roots) > 0
	j.cosines = append(c.terms(j.rows[:n], n, true), c.terms(j.rows[n:], n, false)...)
}

// scores returns the scores of the queries [Q] as [task.Score] has them before they are calibrated.
func (j *judged) scores(h *history, noise float64) ([]float64, error) {
	t, n := j.trial, j.trial.Support
	labels := t.Labels[:n]
	j.compare(h, balanced(labels))
	whole, alone, expected := split(t.Kernel, n), split(t.Structure, n), each.As[float64](t.Expected)
	for i, near := range j.cosines {
		floats.AddScaled(whole[i], h.Weights.Profile, near)
		expected[i] += h.Weights.Hits * j.rows[i].mean
	}
	var r regressions
	if err := r.learn(whole[:n], alone[:n], expected[:n], labels, noise, t.Alike && !j.past); err != nil {
		return nil, err
	}
	scores := make([]float64, len(whole)-n)
	for q := range scores {
		if i := n + q; !j.past || j.rows[i].has() {
			scores[q] = r.score(whole[i], alone[i], expected[i])
			continue
		}
		if j.without == nil {
			without := judged{trial: t}
			var err error
			if j.without, err = without.scores(nil, noise); err != nil {
				return nil, err
			}
		}
		scores[q] = j.without[q] / pastSlope
	}
	return scores, nil
}

// score returns the score of a molecule with these rows [N] of the kernels, and this expectation.
func (r *regressions) score(whole, alone []float64, expected float64) float64 {
	return r.coefficient*(expected-r.usual) + floats.Dot(r.alpha, whole) + floats.Dot(r.beta, alone)
}

// split returns the rows of a matrix with n columns.
func split(of []float32, n int) (rows [][]float64) {
	for ; len(of) >= n; of = of[n:] {
		rows = append(rows, each.As[float64](of[:n]))
	}
	return rows
}

// Judge returns the scores by a part of what past assays give.
func (a *alone) Judge(t *model.Trial, keys []uint64, weights []past.Weights) (all [][]float64, err error) {
	n := t.Support
	j := &judged{trial: t, rows: a.past.labelled(keys)}
	for _, w := range weights {
		if a.hits {
			all = append(all, each.Of(j.rows[n:], func(r row) float64 { return r.mean }))
			continue
		}
		targets := balanced(t.Labels[:n])
		h := a.past.weighted(w)
		j.compare(h, targets)
		whole := each.Of(j.cosines, func(c []float64) []float64 { return floats.ScaleTo(make([]float64, n), h.Weights.Profile, c) })
		alpha, _, err := regression(whole[:n], targets, a.Noise)
		if err != nil {
			return nil, err
		}
		all = append(all, each.Of(whole[n:], func(k []float64) float64 { return floats.Dot(alpha, k) }))
	}
	return all, nil
}
