package ranking

import (
	"errors"

	"pacia/internal/atomicfile"
)

// Rescored returns a copy of s in which the rows with these numbers have new scores. The ranked table states which, unless
// all have. Rescored closes s, also after an error.
func (s *Spill) Rescored(scores map[int]Score) (*Spill, error) {
	f, err := atomicfile.Nameless(s.siblingOf)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	r := &Spill{
		siblingOf: s.siblingOf, Named: s.Named, Uncertainty: s.Uncertainty, Spread: s.Spread, Scale: s.Scale,
		Refined: len(scores) > 0 && len(scores) < s.n,
		Top:     s.Top, Against: s.Against, Extra: s.Extra, file: f, most: s.most,
	}
	r.begin()
	spread := s.Scores // of all rows, including those that parts did not keep
	err = s.Each(func(row Ranked) error {
		if score, ok := scores[row.Number]; ok {
			spread.replace(row.Probability, score.Probability)
			row.Each, row.Refined = score.Each, true
			row.Probability, row.LogOdds = score.Probability, score.LogOdds
			row.Uncertainty, row.Spread, row.Potency = score.Uncertainty, score.Spread, score.Potency
		}
		start := r.text.Len()
		r.text.Write(row.Line)
		return r.added(start, int64(row.Number), row.Score, row.Cells)
	})
	if err = errors.Join(err, s.Close()); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	r.Scores, r.n = spread, s.n
	return r, nil
}
