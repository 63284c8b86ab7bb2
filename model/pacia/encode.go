package pacia

import (
	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/model"
	"pacia/ops"
)

// Legend: A atoms, P rows of a layer's states, B tasks, N support molecules of a
// task, Q queries, d width of the atom embeddings, d_R of the relation graph's nodes.

// adapter holds the hypernetworks of one layer: for hyper.form=joint, joint has the
// output [w | b | p], for split each has its own network. A nil network means that
// the part is not adapted.
type adapter struct {
	joint   *ops.Hypernetwork
	w, b, p *ops.Hypernetwork
}

// modulation is the output of a task's hypernetworks for one layer. γ of a joint
// hypernetwork is [B, 2d (+1)] in w; p holds the plausibility in its last column.
// A part that is not adapted is nil. stats are the support set's statistics for
// batch norm, nil if running averages are used.
type modulation struct {
	w, b, p *ts.Tensor
	stats   *gnn.Stats
}

// Sites of dropout in the hypernetworks, by layer.
const (
	siteEncoderHyper = 1000 * (2 + iota)
	siteRelationHyper
)

var filmForms = map[string]ops.FilmForm{"affine": ops.FilmAffine, "scale": ops.FilmScale, "unit": ops.FilmUnit}

// adapt runs the hypernetworks of one layer through run.
func (a adapter) adapt(setting string, m ops.Mode, dropout float64, run func(*ops.Hypernetwork, ops.Mode) *ts.Tensor) (mod modulation) {
	m.Dropout = dropout
	if a.joint != nil {
		joint := run(a.joint, m)
		if adapts(setting, "N") {
			mod.w = joint
		}
		if adapts(setting, "D") {
			mod.p = joint
		}
		return mod
	}
	for i, n := range []struct {
		hyper *ops.Hypernetwork
		to    **ts.Tensor
	}{{a.w, &mod.w}, {a.b, &mod.b}, {a.p, &mod.p}} {
		if n.hyper != nil {
			*n.to = run(n.hyper, m.Site(uint64(i)))
		}
	}
	return mod
}

// encode runs the encoder on a batch and reads out the molecules from the atom
// embeddings after FiLM: from those of all layers or of the last layer, or from
// their mixture over layers if the encoder's depth is adapted. For a batch with a
// support set, it computes the modulations from it and returns them. Otherwise it
// applies the given ones.
func (p *pacia) encode(b *model.Batch, m ops.Mode, given []modulation, s *ops.Scope) (*model.Molecules, []modulation) {
	var mods []modulation
	var scores []*ts.Tensor
	states, stats := p.States(b, m, statsOf(given), func(l int, h *ts.Tensor) *ts.Tensor {
		var mod modulation
		switch {
		case given != nil:
			mod = given[l]
		case p.task != nil:
			mod = p.adaptLayer(l, h, b, m.Site(uint64(siteEncoderHyper+10*l)), s)
		}
		mods = append(mods, mod)
		if mod.p != nil {
			scores = append(scores, mod.p)
		}
		if mod.w == nil {
			return h
		}
		return s.Keep(ops.FiLM(h, b.Graph.Level(l), mod.w, mod.b, filmForms[p.settings.Film]))
	}, s)
	for l := range mods {
		mods[l].stats = stats[l]
	}
	p.trace.modulations(mods)
	if scores != nil {
		mixture, _ := s.Keep2(ops.MixAtoms(states[1:], scores, b.Graph, !m.Training))
		states = []*ts.Tensor{mixture}
	}
	return p.Read(states, b, m, s), mods
}

func statsOf(mods []modulation) (stats []*gnn.Stats) {
	for _, m := range mods {
		stats = append(stats, m.stats)
	}
	return stats
}

// adaptLayer computes Eqs. 9 and 10 after layer l: the mean over each support
// molecule's atoms, its label, the class means, γ and p. As in the paper, it takes
// the mean for any model.readout. The code published for FS-Mol has a combined
// readout here.
func (p *pacia) adaptLayer(l int, h *ts.Tensor, b *model.Batch, m ops.Mode, s *ops.Scope) modulation {
	s.At("hypernetwork of encoder layer", l+1)
	t := s.Keep(ops.SegmentMean(h, b.Graph, b.SupportMol))
	return p.task[l].adapt(p.settings.Adapt.Encoder, m, p.settings.Hyper.Dropout,
		func(h *ops.Hypernetwork, m ops.Mode) *ts.Tensor {
			return s.Keep(h.Task(t, b.SupportLabel, b.Host.Support, m))
		})
}
