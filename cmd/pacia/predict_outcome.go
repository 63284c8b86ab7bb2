package main

import (
	"context"
	"fmt"

	"pacia/data/label"
	"pacia/screen/ranking"
)

// looked is how many molecules of a ranked list are counted as the first: about what
// one plate takes beside its controls.
const looked = 20

// An outcome is what is known of the candidates' activity: pacia predict --outcome. It
// plays no part in the ranking.
type outcome struct {
	file   *ranking.Support
	known  *ranking.Known
	ranked []int8 // of each row as they were added: 1 active, 0 inactive, unknown

	first, found int // of the first rows of known activity, and the actives among them
	all, actives int // of all rows
}

const unknown = -1

// readOutcome reads a table of labelled molecules, as a support file is.
func readOutcome(ctx context.Context, path string, r ranking.Options, l label.Tasks) (*outcome, error) {
	s, err := ranking.ReadSupport(ctx, path, r, l)
	if err != nil {
		return nil, err
	}
	return &outcome{file: s, known: ranking.KnownOf(s)}, nil
}

// add takes note of a row that is ranked. There need not be an outcome. A molecule with
// both labels has none.
func (o *outcome) add(smiles string) {
	if o != nil {
		o.ranked = append(o.ranked, o.labelOf(smiles))
	}
}

func (o *outcome) labelOf(smiles string) int8 {
	switch o.known.Mark(context.Background(), smiles) {
	case ranking.InSupportActive:
		return 1
	case ranking.InSupportInactive:
		return 0
	}
	return unknown
}

// count takes the row at the next rank. There need not be an outcome.
func (o *outcome) count(row int) {
	if o != nil {
		o.countLabel(o.ranked[row])
	}
}

// countLabel takes the label of the row at the next rank.
func (o *outcome) countLabel(label int8) {
	if label == unknown {
		return
	}
	if o.first < looked {
		o.first++
		o.found += int(label)
	}
	o.all++
	o.actives += int(label)
}

// hits says how many actives there are among the first molecules of known activity.
func (o *outcome) hits() string {
	if o.all == 0 {
		return "no ranked molecule has a known outcome"
	}
	chance := float64(o.first) * float64(o.actives) / float64(o.all)
	return fmt.Sprintf("%d of the first %d are active; by chance %.1f, as %d of %d are", o.found, o.first, chance, o.actives, o.all)
}
