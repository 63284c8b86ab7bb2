package history

import (
	"path/filepath"

	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/model/shared/past"
	"pacia/model/shared/remembered"
	"pacia/screen/trust"
)

// Options are how past assays count.
type Options struct {
	Specific bool // how often a molecule was active at all does not count
}

// Recall returns models that also compare molecules by past assays. Without any it returns the members.
func (p *Past) Recall(members []*model.Model, o Options) []*model.Model {
	if p == nil {
		return members
	}
	h := model.History{Specific: o.Specific}
	h.Parts, h.Assays = p.counting()
	if len(p.memories) > 0 {
		h.Weights = p.memories[0].Weights
	}
	return each.Of(members, func(m *model.Model) *model.Model { return m.Recall(h) })
}

// held is the name of the past assays that a model holds.
const held = "the model's past assays"

// Counts returns the past assays with a function that counts those of a molecule.
func (p *Past) Counts() *trust.Past {
	if p == nil {
		return nil
	}
	parts, assays := p.counting()
	names := each.Of(p.files, func(f *file) string { return filepath.Base(f.File) })
	if len(p.memories) > len(p.files) {
		names = append([]string{held}, names...)
	}
	return &trust.Past{Files: names, Assays: len(assays), Counts: func(bit, count []uint16) (measured, active int) {
		var room [64]past.Label
		labels, key := room[:0], remembered.Key(counts.Vector{Bit: bit, Count: count})
		for _, part := range parts {
			labels = part.Append(labels, key)
		}
		return len(labels), each.Count(labels, func(l past.Label) bool { return l.Active })
	}}
}
