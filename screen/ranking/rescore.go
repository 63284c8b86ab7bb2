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
	r := newSpill(s.siblingOf, f, s.Layout, s.runBytes)
	r.Refined, r.Top = len(scores) > 0 && len(scores) < s.n, s.Top
	spread := s.Scores // of all rows, including those that parts did not store
	err = s.Each(func(row Ranked) error {
		if score, rescored := scores[row.Number]; rescored {
			spread.replace(row.Probability, score.Probability)
			score.Mark, score.Near, score.Refined = row.Mark, row.Near, true
			row.Score = score
		}
		return r.add(int64(row.Number), row.Score, string(row.Molecule), row.Cells)
	})
	if err = errors.Join(err, s.Close()); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	r.Scores, r.n = spread, s.n
	return r, nil
}
