package screen

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"

	"pacia/data"
	"pacia/data/standard"
	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/model"
	"pacia/screen/ranking"
	"pacia/screen/trust"
	"pacia/screen/why"
)

// Options of a Ranker. The zero value does what most want, but for SiblingOf.
type Options struct {
	SiblingOf string             // the path of a file: temporary ones, which have no names, lie in its folder
	Refine    int                // how many of the first molecules are scored with vectors of a pretrained encoder, where the model compares them; 0: all; Usual
	Part      bool               // of a library: the one that puts all parts together scores the first of them with vectors
	Reasons   int                // of how many of the first molecules reasons are stated
	Fail      bool               // at the first molecule that cannot be read, in place of listing it
	Progress  func(rows int)     // told how many rows of the library were scored since the last time; may be nil
	Added     func(ranking.Row)  // told each row that gets a rank, in the order of the files; may be nil
	Measured  func(*trust.Panel) // told when the support set was measured, before the library is ranked; may be nil
}

// A Ranker takes a library through a model that is adapted to a support set. What it
// holds in memory does not grow with the library, nor with the length of a row or of its
// molecule.
type Ranker struct {
	Support *ranking.Support
	Table   *ranking.Table
	Spill   *ranking.Spill     // the rows that were ranked
	Invalid *ranking.Invalid   // those that could not be read
	Panel   *trust.Panel       // nil before the support set was measured
	Pool    int                // of the first ranks, those that Pick picked from
	Refined int                // of the first molecules, those that were scored with vectors; 0 where all were, or the model has none
	Changes standard.Changes   // of the library's molecules, since they were drawn
	LeftOut int                // rows that are not wanted ([ranking.Wanted])
	Odd     ranking.NotNumbers // of these

	Against []*Against           // assays that are not wanted
	Groups  *Groups              // nil: rows are not grouped
	Tasks   []string             // names of the model's training tasks, for reasons
	Reasons map[int]*why.Reasons // by the numbers of rows

	options Options
	batch   *data.Batch // the support set for a model
	known   *ranking.Known
	bare    bool         // molecules are scored without vectors of a pretrained encoder
	again   map[int]bool // numbers of the rows that were scored with them afterwards
}

// New prepares to rank t, which [Ranker.Close] closes, also after an error.
func New(s *ranking.Support, t *ranking.Table, o Options) (*Ranker, error) {
	r := &Ranker{Support: s, Table: t, options: o}
	var err error
	if r.Spill, err = ranking.NewSpill(o.SiblingOf); err == nil {
		r.Invalid, err = ranking.NewInvalid(o.SiblingOf, t)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Close gives back what New took, the rows among it.
func (r *Ranker) Close() {
	if r.Table != nil {
		_ = r.Table.Close() // read only
	}
	if r.Spill != nil {
		_ = r.Spill.Close() // its file has no name any more
	}
	if r.Invalid != nil {
		_ = r.Invalid.Close()
	}
}

// Parse reads the support sets' molecules for a model. Those that cannot be read are left
// out, as long as each class keeps one; [Options.Fail] makes the first an error.
func (r *Ranker) Parse(ctx context.Context, c model.Config) (err error) {
	if r.batch, err = r.parse(ctx, c, r.Support); err != nil {
		return err
	}
	for _, a := range r.Against {
		if a.batch, err = r.parse(ctx, c, a.Support); err != nil {
			return err
		}
	}
	return nil
}

func (r *Ranker) parse(ctx context.Context, c model.Config, s *ranking.Support) (*data.Batch, error) {
	molecules, rows, errs := evaluate.ParseSMILES(ctx, c, s.SMILES, 0)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(row int32) bool { return row < 0 })
	if err := s.Drop(errs, r.options.Fail); err != nil {
		return nil, err
	}
	s.NoteTwins(trust.Twins(molecules, rows))
	episode, err := data.NewMeasured(rows, s.Labels, s.Values)
	if err != nil {
		return nil, err
	}
	return data.AssembleSupport(molecules, episode)
}

// Rank adapts m to the support set, which Parse has read for it, measures that, and scores
// the library on so many threads; 0: on all cores. It must be called from within
// ops.Pinned. The end of ctx ends it.
func (r *Ranker) Rank(ctx context.Context, m *model.Model, threads int) error {
	return r.RankTogether(ctx, []*model.Model{m}, threads)
}

// RankTogether is Rank by models that are asked together ([evaluate.Together]).
func (r *Ranker) RankTogether(ctx context.Context, members []*model.Model, threads int) error {
	scorer, err := r.adapt(ctx, members)
	if err != nil {
		return err
	}
	defer scorer.Drop()
	defer r.dropAgainst()
	threads = cmp.Or(threads, runtime.NumCPU())
	r.bare = r.refines(members[0])
	// A chunk on each thread: chunks do not wait for each other as the threads of one
	// operation do.
	work := func(smiles []string) scored { return r.score(ctx, scorer, smiles) }
	err = ranking.Stream(ctx, r.Table, scorer.Batch(), threads, work, r.take)
	if err == nil && r.bare && !r.options.Part {
		err = r.refine(ctx, scorer, threads)
	}
	if err == nil && !r.options.Part {
		err = r.explain(ctx, scorer, threads)
	}
	return errors.Join(err, r.Invalid.Flush())
}

// adapt adapts models to the support set, and measures that.
func (r *Ranker) adapt(ctx context.Context, members []*model.Model) (*evaluate.Scorer, error) {
	if err := evaluate.Alike(members); err != nil {
		return nil, err
	}
	if r.options.Reasons > 0 {
		if err := evaluate.Explainable(members); err != nil {
			return nil, err
		}
	}
	m := members[0]
	r.known = ranking.KnownOf(r.Support)
	adapted, err := evaluate.Together(members)(r.batch)
	if err != nil {
		return nil, err
	}
	if err := r.measure(ctx, members, adapted); err != nil {
		adapted.Drop()
		return nil, err
	}
	scorer := evaluate.NewScorer(m, adapted)
	if err := r.adaptAgainst(members); err != nil {
		scorer.Drop()
		return nil, err
	}
	return scorer, nil
}

// measure fills in the Panel, and says which columns the ranked table has.
func (r *Ranker) measure(ctx context.Context, members []*model.Model, adapted evaluate.Adapted) (err error) {
	if r.Panel, err = trust.New(ctx, members, r.Support.SMILES, r.Support.Labels, r.Support.Values); err != nil {
		return err
	}
	if t, can := adapted.(evaluate.UncertaintyScorer); can {
		if r.Spill.Uncertainty, err = t.EnableUncertainty(); err != nil {
			return err
		}
	}
	r.Spill.Spread, r.Spill.Scale = len(members) > 1, r.Support.Scale
	if r.options.Measured != nil {
		r.options.Measured(r.Panel)
	}
	if evaluate.Fingerprinted(members[0].Config()) {
		r.Spill.Named = r.Support.Called
	}
	return nil
}

// scored is a chunk of candidates that went through the model.
type scored struct {
	model.Scored             // of the molecules that could be read
	against      [][]float32 // their probabilities in other assays
	marks        []ranking.Mark
	near         []trust.Near // nil where molecules come without fingerprints
	reasons      []error      // why a molecule cannot be read, or nil; one a row
	err          error
}

// of is what is kept of the molecule at a place.
func (s *scored) of(i int) ranking.Score {
	kept := scoreOf(&s.Scored, s.against, i)
	kept.Mark = s.marks[i]
	if s.near != nil {
		kept.Near = s.near[i]
	}
	return kept
}

// scoreOf is what a model states of the molecule at a place, and its probabilities in other assays.
func scoreOf(all *model.Scored, against [][]float32, i int) ranking.Score {
	score := ranking.Score{Probability: all.Probability[i], Depth: all.Depth[i]}
	selective(&score, against, i)
	if all.Uncertainty != nil {
		score.Uncertainty = all.Uncertainty[i]
	}
	if all.Spread != nil {
		score.Spread = all.Spread[i]
	}
	if all.Potency != nil {
		score.Potency = all.Potency[i]
	}
	return score
}

func (r *Ranker) score(ctx context.Context, scorer *evaluate.Scorer, smiles []string) scored {
	parse := scorer.Parse
	if r.bare {
		parse = scorer.ParseBare
	}
	molecules, _, reasons := parse(ctx, smiles, 1)
	if err := ctx.Err(); err != nil {
		return scored{err: err}
	}
	rows := each.Order[int32](molecules.Len())
	s := scored{near: r.Panel.Add(molecules), reasons: reasons, marks: make([]ranking.Mark, 0, len(rows))}
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

func (r *Ranker) take(c *ranking.Chunk[scored]) error {
	if c.Result.err != nil {
		return c.Result.err
	}
	r.LeftOut += c.LeftOut
	r.Odd.Join(c.Odd)
	next := 0
	for i, row := range c.Rows {
		if reason := c.Result.reasons[i]; reason != nil {
			if row.Reason != nil {
				reason = row.Reason
			}
			if err := r.unread(row, reason); err != nil {
				return err
			}
			continue
		}
		if err := r.Spill.AddScore(row.Fields, c.Result.of(next)); err != nil {
			return err
		}
		r.Changes.Add(row.Change)
		if r.options.Added != nil {
			r.options.Added(row)
		}
		next++
	}
	if r.options.Progress != nil {
		r.options.Progress(len(c.Rows) + c.LeftOut)
	}
	return nil
}
