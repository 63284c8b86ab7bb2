package screen

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"pacia/data/molecule"
	"pacia/data/note"
	"pacia/internal/each"
	"pacia/model"
	"pacia/screen/history"
	"pacia/screen/ranking"
	"pacia/screen/trust"
)

// recall reads the past assays and returns models that know them. Those of a support set, also of an unwanted assay, are
// without that assay itself, unless the request keeps it.
func (r *Ranker) recall(ctx context.Context, members []*model.Model) (_ []*model.Model, err error) {
	if r.past == nil {
		return members, nil
	}
	redraw, err := r.reader.Redraw()
	if err != nil {
		return nil, err
	}
	all, err := r.past(note.Silent(ctx), history.Molecules{Drawn: r.Table.Drawn(), Redraw: redraw})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, all.Close()) }()
	r.PastRead = FindingsOfPast(all)
	keep, count := r.request.KeepAssay, history.Options{Specific: r.request.Specific}
	for _, a := range r.Against {
		past, err := without(all, a.Support, a.parsed, keep)
		if err != nil {
			return nil, err
		}
		if a.members, err = past.Recall(members, count); err != nil {
			return nil, err
		}
	}
	past, err := without(all, r.Support, r.parsed, keep)
	if err != nil {
		return nil, err
	}
	if r.parsed.Past, err = past.Counts(); err != nil {
		return nil, err
	}
	r.parsed.Past.Notes, r.Spill.Past = past.Copies(keep), true
	r.pastNames = past.Assays()
	return past.Recall(members, count)
}

// without returns past assays without the one of a support set, unless it is kept.
func without(all *history.Past, s *ranking.Support, parsed trust.Support, keep bool) (*history.Past, error) {
	prints, ok := molecule.FingerprintsOf(parsed.Molecules)
	if !ok {
		return nil, fmt.Errorf("%s: the molecules have no fingerprints", s.File)
	}
	return all.Without(history.Support{Name: s.Column, Keys: each.At(history.KeysOf(prints), parsed.Rows), Labels: s.Labels, Values: s.Values}, keep)
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

// know reports whether all models compare molecules by past assays.
func know(members []*model.Model) bool {
	return !slices.ContainsFunc(members, func(m *model.Model) bool { return !m.Traits().History })
}
