package screen

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/metrics"
	"pacia/model"
	"pacia/screen/history"
	"pacia/screen/ranking"
	"pacia/screen/request"
	"pacia/screen/why"
)

// Files are the files of a request: paths of the command, or uploads of the server.
type Files struct {
	Library func(ranking.Options) (*ranking.Table, error)
	Names   []string                              // of the unwanted assays, by AgainstNames
	Assay   func(i int) (*ranking.Support, error) // reads unwanted assay i
	Earlier *ranking.Support                      // the support set of the round before; nil without it
	Past    func(context.Context, history.Molecules) (*history.Past, error)
}

// Outcome is what a ranking has beside its rows.
type Outcome struct {
	Filters []ranking.Filtered   // what each filter of the library did
	Batch   metrics.ExpectedHits // of the molecules to measure next
	Changed string               // in the support set since the round before
}

// TableOptions returns o with what a request says about the library and about the columns of the ranked table.
func TableOptions(q *request.Request, names []string, o ranking.Options) ranking.Options {
	o.Ranked, o.Numbers, o.Wanted, o.Past = true, q.Potency != "", q.Wanted, len(q.History) > 0
	o.Extra = ranking.AgainstColumns(names)
	if q.Reasons > 0 {
		o.Extra = append(o.Extra, why.ColumnNames()...)
	}
	Grouped(q.Group, &o)
	return o
}

// Open opens the files of a request for the support set s. The library is read with the options o. The fields of the request
// take the place of those of hooks.
func Open(q *request.Request, s *ranking.Support, in Files, o ranking.Options, hooks Options) (*Ranker, error) {
	table, err := in.Library(TableOptions(q, in.Names, o))
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(columnThere(q, s, table), checkGroup(table, q.Group)); err != nil {
		return nil, errors.Join(err, table.Close())
	}
	hooks.Refine, hooks.Reasons, hooks.Prior = q.Refine, q.Reasons, q.Share()
	hooks.Part, hooks.Fail = q.Part >= 0, q.OnInvalid == "fail"
	r, err := New(s, table, hooks)
	if err != nil {
		return nil, err
	}
	r.request, r.earlier, r.past = q, in.Earlier, in.Past
	if err := r.ReadAgainst(in.Names, in.Assay); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// columnThere refuses a column of molecules that no file has.
func columnThere(q *request.Request, s *ranking.Support, t *ranking.Table) error {
	if !t.Missed() || !s.Missed && q.SupportSMILES == "" {
		return nil
	}
	return &badinput.Error{What: "no file has the column " + badinput.Quote(q.Reading.SMILES) + " of --smiles",
		Fix: "the molecules may be in " + badinput.Quote(t.Column) + " of " + t.Files()[0]}
}

// Answer ranks the library that Open has opened: it reads the support set, scores, filters, groups and picks. read is called
// once the support set is read. score scores the library with models that know the past assays, by [Ranker.RankTogether]
// or what takes its place. It must be called from within ops.Pinned.
func (r *Ranker) Answer(ctx context.Context, members []*model.Model, read func(), score func([]*model.Model) error) error {
	q := r.request
	if err := checkModel(q, members); err != nil {
		return err
	}
	if err := r.Parse(ctx, members...); err != nil {
		return err
	}
	members, err := r.recall(ctx, members)
	if err != nil {
		return err
	}
	read()
	if err := score(members); err != nil || r.options.Part {
		return err
	}
	if r.Panel != nil && r.Panel.Apart() {
		r.Spill.Past = false
	}
	shown := Shown(r.Support, q.Share())
	if !members[0].Traits().Calibrates {
		shown = nil
	}
	if r.restored {
		return r.group(shown)
	}
	if err := r.Readable(ctx); err != nil {
		return err
	}
	if r.Outcome.Filters, err = r.Filters(ctx); err != nil {
		return err
	}
	if err := r.group(shown); err != nil {
		return err
	}
	if q.Diverse > 0 {
		return r.Pick(ctx, q.Diverse)
	}
	if q.Batch == 0 {
		return nil
	}
	r.Outcome.Batch, err = r.Batch(ctx, q.Batch, q.Explore, shown)
	if err == nil && r.earlier != nil {
		r.Outcome.Changed = ranking.KnownOf(r.earlier).Changed(ctx, r.Support, q.Before)
	}
	return err
}

// group groups the rows, if the request asks for it.
func (r *Ranker) group(shown func(float32) float64) error {
	if r.request.Group == "" {
		return nil
	}
	return r.Group(r.request.Group, shown)
}

// checkModel refuses what models cannot do for a request.
func checkModel(q *request.Request, members []*model.Model) error {
	traits := members[0].Traits()
	switch {
	case q.Potency != "" && !traits.Measures:
		return &badinput.Error{What: "--potency: the model learns labels alone, active or inactive",
			Fix: "choose the column as --label; the model that ships, kernel, gp, forest and similarity learn measurements"}
	case q.Refine > 0 && !slices.ContainsFunc(members, func(m *model.Model) bool { return m.Config().Embeds() }):
		return &badinput.Error{What: "--refine has no effect: the model does not compare vectors of MiniMol", Fix: "leave it out"}
	case q.Refine > 0 && !evaluate.Refinable(members):
		return &badinput.Error{What: "--refine has no effect: an encoder reads vectors of MiniMol of every molecule", Fix: "leave it out"}
	case q.Explore > 0 && !traits.Uncertainty:
		return &badinput.Error{What: "--explore: the model does not state how uncertain it is", Fix: "leave it out; the model that ships and kernel do"}
	}
	if len(q.History) > 0 {
		return CheckHistory(members)
	}
	return nil
}
