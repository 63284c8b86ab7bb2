package main

import (
	"fmt"

	"pacia/cmd/pacia/internal/ranking"
)

// looked is how many molecules of a ranked list are counted as the first: about what
// one plate takes beside its controls.
const looked = 20

// An outcome is what is known of the candidates' activity: pacia predict --outcome. It
// plays no part in the ranking.
type outcome struct {
	active map[string]bool // by SMILES, as they are written
	ranked []int8          // of each ranked row: 1 active, 0 inactive, unknown
}

const unknown = -1

// readOutcome reads a table of labelled molecules, as a support file is.
func readOutcome(path string, r ranking.Options, l ranking.Labels) (*outcome, error) {
	s, err := ranking.ReadSupport(path, r, l)
	if err != nil {
		return nil, err
	}
	o := &outcome{active: make(map[string]bool, len(s.SMILES))}
	for i, m := range s.SMILES {
		o.active[m] = s.Labels[i] == 1
	}
	return o, nil
}

// add takes note of a row that is ranked. There need not be an outcome.
func (o *outcome) add(smiles string) {
	if o == nil {
		return
	}
	label := int8(unknown)
	if active, known := o.active[smiles]; known {
		label = 0
		if active {
			label = 1
		}
	}
	o.ranked = append(o.ranked, label)
}

// hits counts the actives among the first molecules of known activity, in the order
// of rows.
func (o *outcome) hits(order []int32) string {
	var first, hits, known, active int
	for _, row := range order {
		label := int(o.ranked[row])
		if label == unknown {
			continue
		}
		if first < looked {
			first++
			hits += label
		}
		known++
		active += label
	}
	if known == 0 {
		return "no ranked molecule has a known outcome"
	}
	chance := float64(first) * float64(active) / float64(known)
	return fmt.Sprintf("%d of the first %d are active; by chance %.1f, as %d of %d are", hits, first, chance, active, known)
}
