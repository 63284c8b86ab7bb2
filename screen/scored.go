package screen

import (
	"context"

	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/model"
	"pacia/screen/ranking"
	"pacia/screen/trust"
)

// scored is a chunk of molecules with their scores.
type scored struct {
	model.Scored                // of the molecules that could be read
	against      []model.Scored // their scores in the unwanted assays
	marks        []ranking.Mark
	near         []trust.Near // nil if molecules have no fingerprints
	tautomers    int          // molecules that the model knows as a tautomer in which a hydrogen of carbon has moved
	reasons      []error      // for each row, the reason for which its molecule cannot be read, or nil
	err          error
}

// score returns the score of molecule i.
func (s *scored) score(i int) ranking.Score {
	score := scoreOf(s.Scored, s.against, i)
	score.Mark = s.marks[i]
	if s.near != nil {
		score.Near = s.near[i]
	}
	return score
}

// scoreOf returns the model's outputs for molecule i, with its probabilities in the unwanted assays.
func scoreOf(all model.Scored, against []model.Scored, i int) ranking.Score {
	score := ranking.Score{Score: all[i]}
	selective(&score, against, i)
	return score
}

func (r *Ranker) score(ctx context.Context, scorer *evaluate.Scorer, smiles []string) scored {
	parse := scorer.Parse
	if r.bare {
		parse = scorer.ParseBare
	}
	drawn, tautomers := scorer.Drawings(ctx, smiles)
	molecules, _, reasons := parse(ctx, drawn, 1)
	if err := ctx.Err(); err != nil {
		return scored{err: err}
	}
	rows := each.Order[int32](molecules.Len())
	s := scored{near: r.Panel.Add(molecules), tautomers: tautomers, reasons: reasons, marks: make([]ranking.Mark, 0, len(rows))}
	for i, reason := range reasons {
		if reason == nil {
			s.marks = append(s.marks, r.known.Mark(ctx, smiles[i]))
		}
	}
	s.Scored, s.err = scorer.ScoreAll(molecules, rows)
	if s.err == nil {
		s.against, s.err = r.scoreAgainst(molecules, rows)
	}
	return s
}
