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
	"pacia/model"
	"pacia/screen/history"
	"pacia/screen/ranking"
	"pacia/screen/request"
	"pacia/screen/trust"
	"pacia/screen/why"
)

// Options of a Ranker. SiblingOf is required; the zero values of the others are reasonable defaults.
type Options struct {
	SiblingOf string // path of a file; temporary files, which have no names, are made in its folder

	// Refine is the number of first molecules that are scored again with vectors of a pretrained encoder, if
	// the model compares such vectors. 0: all molecules are scored with vectors. See Usual.
	Refine int

	Part    bool    // the library is a part of another one: the process that combines the parts refines and explains
	Reasons int     // number of first molecules to explain
	Prior   float64 // expected share of actives in the library, for reasons; 0: that of the support set
	Fail    bool    // fail at the first molecule that cannot be read; otherwise it is listed

	Progress func(rows int)     // called with the number of rows scored since the last call; may be nil
	Added    func(ranking.Row)  // called with each row that gets a rank, in the order of the files; may be nil
	Measured func(*trust.Panel) // called when the support set was measured, before the library is ranked; may be nil
}

// A Ranker ranks a library with a model that is adapted to a support set. Its use of memory does not grow with
// the library, the length of rows or the size of molecules.
type Ranker struct {
	Support *ranking.Support
	Table   *ranking.Table
	Spill   *ranking.Spill      // the ranked rows
	Invalid *ranking.Invalid    // the molecules that could not be read
	Panel   *trust.Panel        // nil until the support set is measured
	Pool    int                 // number of first ranks from which Pick picked
	Refined int                 // number of first molecules scored again with vectors; 0 if all were scored with vectors or the model has none
	Changes standard.Changes    // made to the library's molecules as drawn
	LeftOut int                 // number of rows excluded by [ranking.Wanted]
	Skipped ranking.SkippedRows // among these
	Unmet   ranking.Unmet       // rows that do not fulfil each filter

	Against  []*Against           // unwanted assays
	Groups   *Groups              // nil: rows are not grouped
	PastRead []string             // lines that report how past assays were interpreted, once the support set is read
	Tasks    []string             // names of the model's training tasks, for reasons
	Reasons  map[int]*why.Reasons // by the numbers of rows

	Outcome Outcome // of Answer

	request  *request.Request
	earlier  *ranking.Support                                                // of the round before; nil without it
	restored bool                                                            // the rows are those of an earlier ranking
	past     func(context.Context, history.Molecules) (*history.Past, error) // reads past assays; nil: there are none

	pastNames []string // of past assays, in the order of models

	options Options
	reader  *evaluate.Reader
	batch   *data.Batch   // the support set for a model
	parsed  trust.Support // the same, for the panel
	known   *ranking.Known
	bare    bool         // molecules are first scored without vectors of a pretrained encoder
	again   map[int]bool // numbers of the rows that were scored again with vectors
	cells   ranking.Decimals

	measured int // rows that Batch found in the support set
}

// New returns a Ranker of t for the support set s. The Ranker owns t: [Ranker.Close] closes it, and New does
// if it returns an error.
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

// Close releases the table, the rows and the temporary files.
func (r *Ranker) Close() {
	if r.Table != nil {
		_ = r.Table.Close() // was only read
	}
	if r.Spill != nil {
		_ = r.Spill.Close() // its file has no name
	}
	if r.Invalid != nil {
		_ = r.Invalid.Close()
	}
}

// Parse parses the molecules of all support sets for an ensemble of models. Molecules that cannot be read are left
// out, as long as each class keeps one; with [Options.Fail] the first of them is an error.
func (r *Ranker) Parse(ctx context.Context, members ...*model.Model) (err error) {
	if r.reader, err = evaluate.NewReader(members, r.Table.Drawn()); err != nil {
		return err
	}
	if r.batch, r.parsed, err = r.parse(ctx, r.Support); err != nil {
		return err
	}
	for _, a := range r.Against {
		if a.batch, a.parsed, err = r.parse(ctx, a.Support); err != nil {
			return err
		}
	}
	return nil
}

func (r *Ranker) parse(ctx context.Context, s *ranking.Support) (*data.Batch, trust.Support, error) {
	drawn, tautomers := r.reader.Drawings(ctx, s.SMILES)
	molecules, rows, errs := r.reader.Parse(ctx, drawn, 0)
	if err := ctx.Err(); err != nil {
		return nil, trust.Support{}, err
	}
	var readable []string
	for i, text := range drawn {
		if errs[i] == nil {
			readable = append(readable, text)
		}
	}
	rows = slices.DeleteFunc(rows, func(row int32) bool { return row < 0 })
	if err := s.Drop(errs, r.options.Fail); err != nil {
		return nil, trust.Support{}, err
	}
	s.NoteTautomers(tautomers)
	s.NoteTwins(trust.Twins(molecules, rows))
	episode, err := data.NewMeasured(rows, s.Labels, s.Values)
	if err != nil {
		return nil, trust.Support{}, err
	}
	batch, err := data.AssembleSupport(molecules, episode)
	return batch, trust.Support{Molecules: molecules, Rows: rows, Drawn: readable, Labels: s.Labels, Values: s.Values}, err
}

// Rank adapts m to the support set, which Parse has parsed for it, measures how well m ranks the support set,
// and scores the library on this number of threads (0: all cores). It must be called from within
// ops.Pinned. It returns when ctx ends.
func (r *Ranker) Rank(ctx context.Context, m *model.Model, threads int) error {
	return r.RankTogether(ctx, []*model.Model{m}, threads)
}

// RankTogether is Rank with an ensemble of models ([evaluate.Together]).
func (r *Ranker) RankTogether(ctx context.Context, members []*model.Model, threads int) error {
	scorer, err := r.adapt(ctx, members)
	if err != nil {
		return err
	}
	defer scorer.Drop()
	defer r.dropAgainst()
	threads = cmp.Or(threads, runtime.GOMAXPROCS(0))
	r.bare = r.refines(members)
	// Each thread scores a chunk by itself: unlike the threads of one operation, chunks do not wait for each
	// other.
	work := func(smiles []string) scored { return r.score(ctx, scorer, smiles) }
	err = ranking.Stream(ctx, r.Table, scorer.Batch(), threads, work, r.addChunk)
	if err == nil && !r.options.Part {
		err = r.Table.CheckSettled(r.cells)
	}
	if err == nil && r.bare && !r.options.Part {
		err = r.refine(ctx, scorer, threads)
	}
	if err == nil && !r.options.Part {
		err = r.explain(ctx, scorer, threads)
	}
	return errors.Join(err, r.Invalid.Flush())
}

// adapt adapts models to the support set and measures how well they rank it.
func (r *Ranker) adapt(ctx context.Context, members []*model.Model) (*evaluate.Scorer, error) {
	if r.options.Reasons > 0 {
		if err := evaluate.Explainable(members); err != nil {
			return nil, err
		}
	}
	r.known = ranking.KnownOf(r.Support)
	adapted, err := evaluate.Together(members)(r.batch)
	if err != nil {
		return nil, err
	}
	if err := r.measure(ctx, members, adapted); err != nil {
		adapted.Drop()
		return nil, err
	}
	scorer := evaluate.NewScorer(r.reader, adapted)
	if err := r.adaptAgainst(members); err != nil {
		scorer.Drop()
		return nil, err
	}
	return scorer, nil
}

// measure fills in the Panel and chooses the optional columns of the ranked table.
func (r *Ranker) measure(ctx context.Context, members []*model.Model, adapted evaluate.Adapted) (err error) {
	if r.Panel, err = trust.New(ctx, members, r.parsed); err != nil {
		return err
	}
	if t, can := adapted.(evaluate.UncertaintyScorer); can {
		if r.Spill.Uncertain, err = t.EnableUncertainty(); err != nil {
			return err
		}
	}
	r.Spill.Models, r.Spill.Scale = len(members), r.Support.Scale
	if r.options.Measured != nil {
		r.options.Measured(r.Panel)
	}
	if evaluate.Fingerprinted(members[0].Config()) {
		r.Spill.Nearest = r.Support
	}
	return nil
}

func (r *Ranker) addChunk(c *ranking.Chunk[scored]) error {
	if c.Result.err != nil {
		return c.Result.err
	}
	r.LeftOut += c.LeftOut
	r.Changes.Tautomers += c.Result.tautomers
	r.Skipped.Join(c.Skipped)
	r.Unmet.Join(c.Unmet)
	r.cells.Join(c.Decimals)
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
		if err := r.Spill.AddScore(row, c.Result.score(next)); err != nil {
			return err
		}
		line := row.Line
		if r.Table.Several() {
			line = 0
		}
		r.Changes.Add(row.Change, line)
		if row.Lost != 0 {
			r.Changes.Flat++
		}
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
