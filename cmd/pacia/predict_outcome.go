package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"pacia/screen/ranking"
)

// looked is the number of molecules that count as the first ones of a ranked list: about as
// many as one plate holds beside its controls.
const looked = 20

// An outcome holds known labels of candidates: pacia predict --outcome. It does not affect
// the ranking.
type outcome struct {
	file   *ranking.Support
	known  *ranking.Known
	ranked []int8 // labels of the rows in the order in which they were added: 1 active, 0 inactive, or unknown

	first, found int // number of the first rows with a known label, and of the actives among them
	all, actives int // the same of all rows
}

const unknown = -1

// readOutcome reads the table of --outcome, by the rule of the support set s unless it has one of its own.
func (p *prediction) readOutcome(c *cobra.Command, o ranking.Options, s *ranking.Support) (*outcome, error) {
	o.Results, o.Named = true, true
	known, err := ranking.ReadSupport(c.Context(), p.known.file, o, p.known.tasks.With(s.Rule))
	if err != nil {
		return nil, p.known.offer(err)
	}
	return &outcome{file: known, known: ranking.KnownOf(known)}, nil
}

// add records the label of a row to be ranked; o may be nil. A molecule with both labels is
// unknown.
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

// count counts the row at the next rank; o may be nil.
func (o *outcome) count(row int) {
	if o != nil {
		o.countLabel(o.ranked[row])
	}
}

// countLabel counts the label of the row at the next rank.
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

// hits returns the number of actives among the first molecules with a known label, as a line.
func (o *outcome) hits() string {
	if o.all == 0 {
		return "no ranked molecule has a known outcome"
	}
	chance := float64(o.first) * float64(o.actives) / float64(o.all)
	return fmt.Sprintf("%d of the first %d are active; by chance %.1f, as %d of %d are", o.found, o.first, chance, o.actives, o.all)
}
