package screen

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"pacia/data/molecule"
	"pacia/data/note"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/past"
	"pacia/model/shared/remembered"
	"pacia/screen/history"
	"pacia/screen/ranking"
	"pacia/screen/request"
	"pacia/screen/trust"
)

// recall reads the past assays and returns models that know them. Those of a support set, also of an unwanted assay, are
// without that assay itself, unless the request keeps it.
func (r *Ranker) recall(ctx context.Context, members []*model.Model) ([]*model.Model, error) {
	all, err := r.readPast(ctx, members)
	if q := r.request; err == nil && all == nil && len(q.History) == 0 && q.Results == "" {
		err = CheckPast(q.Past)
	}
	if err != nil || all == nil {
		return members, err
	}
	if err := r.Table.KnowPast(); err != nil {
		return nil, err
	}
	keep, count := r.request.KeepAssay, history.Options{Specific: r.request.Specific}
	for _, a := range r.Against {
		past, err := without(all, a.Support, a.parsed, keep)
		if err != nil {
			return nil, err
		}
		a.members = past.Recall(members, count)
	}
	past, err := without(all, r.Support, r.parsed, keep)
	if err != nil {
		return nil, err
	}
	r.parsed.Past = past.Counts()
	r.parsed.Past.Notes, r.Spill.Past = past.Copies(keep), true
	r.pastNames = past.Assays()
	return past.Recall(members, count), nil
}

// readPast returns the past assays of the request and of models; nil without any.
func (r *Ranker) readPast(ctx context.Context, members []*model.Model) (*history.Past, error) {
	held := Held(members)
	if r.past == nil {
		return (*history.Past)(nil).With(held...), nil
	}
	redraw, err := r.reader.Redraw()
	if err != nil {
		return nil, err
	}
	read, err := r.past(note.Silent(ctx), history.Molecules{Drawn: r.Table.Drawn(), Redraw: redraw})
	if err != nil {
		return nil, err
	}
	all := read.With(held...)
	r.PastRead = FindingsOfPast(read)
	return all, nil
}

// Held returns the past assays that models hold. They count if all models compare molecules by past assays.
func Held(members []*model.Model) []*past.Memory {
	if CheckHistory(members) != nil {
		return nil
	}
	return each.If(each.Of(members, (*model.Model).Past), func(m *past.Memory) bool { return m != nil })
}

// without returns past assays without the one of a support set, unless it is kept.
func without(all *history.Past, s *ranking.Support, parsed trust.Support, keep bool) (*history.Past, error) {
	prints, ok := molecule.FingerprintsOf(parsed.Molecules)
	if !ok {
		return nil, fmt.Errorf("%s: the molecules have no fingerprints", s.File)
	}
	return all.Without(history.Support{Name: s.Column, Keys: each.At(remembered.Keys(prints), parsed.Rows), Labels: s.Labels, Values: s.Values}, keep)
}

// FindingsOfPast returns lines that report how files of past assays were interpreted.
func FindingsOfPast(past *history.Past) (lines []string) {
	for _, f := range past.Files() {
		for _, text := range f.Notes {
			lines = append(lines, filepath.Base(f.File)+": "+text)
		}
	}
	return lines
}

// CheckPast refuses what has no effect without past assays.
func CheckPast(p request.Past) error {
	flag := "--keep-assay"
	switch {
	case !p.KeepAssay && !p.Specific:
		return nil
	case !p.KeepAssay:
		flag = "--specific"
	}
	return &badinput.Error{What: flag + " has no effect without past assays", Fix: "also write --history, use a model that remembers some, or leave it out"}
}

// CheckHistory refuses models that do not compare molecules by past assays.
func CheckHistory(members []*model.Model) error {
	if !slices.ContainsFunc(members, func(m *model.Model) bool { return !m.Traits().History }) {
		return nil
	}
	return &badinput.Error{What: "--history: the model does not compare molecules by past assays", Fix: "leave it out; the model that ships and kernel do"}
}
