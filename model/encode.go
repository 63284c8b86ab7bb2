package model

import (
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/ops"
)

// Legend: A atoms, B tasks, N support molecules of a task, Q queries, d width
// of the atom embeddings, d_R width of the relation graph's nodes.

// modulation is what a task's hypernetworks gave for one layer. γ of a joint
// hypernetwork is [B, 2d (+1)] in w; p holds the plausibility in its last
// column. Nil where nothing is adapted. stats are of the support set's batch
// norm, nil where running averages are taken.
type modulation struct {
	w, b, p *ts.Tensor
	stats   *gnn.Stats
}

// Sites of dropout; a key of its own for every place of the model.
const (
	siteEncoder = 1000 * (1 + iota)
	siteTask
	siteQuery
)

var filmForms = map[string]ops.FilmForm{"affine": ops.FilmAffine, "scale": ops.FilmScale, "unit": ops.FilmUnit}

// adapt runs the hypernetworks of one layer through run.
func (a adapter) adapt(setting string, m ops.Mode, dropout float64, s *scope,
	run func(*ops.Hypernetwork, ops.Mode) (*ts.Tensor, error)) (mod modulation, err error) {
	m.Dropout = dropout
	if a.joint != nil {
		joint, err := s.keep(run(a.joint, m))
		if adapts(setting, "N") {
			mod.w = joint
		}
		if adapts(setting, "D") {
			mod.p = joint
		}
		return mod, err
	}
	for i, n := range []struct {
		hyper *ops.Hypernetwork
		to    **ts.Tensor
	}{{a.w, &mod.w}, {a.b, &mod.b}, {a.p, &mod.p}} {
		if n.hyper == nil {
			continue
		}
		if *n.to, err = s.keep(run(n.hyper, m.Site(uint64(i)))); err != nil {
			return mod, err
		}
	}
	return mod, nil
}

// encode runs the encoder on a batch and returns the molecules as they are read
// out of the atom embeddings after FiLM: of those of all layers, or of the last
// layer, whatever rows the layers before it run on, or of their mixture over
// layers where the encoder's depth is adapted. With a support set the modulations
// come from it and are returned; without, given ones are applied.
func (m *Model) encode(b *batch, mode ops.Mode, given []modulation, s *scope, trace *Trace) (*molecules, []modulation, error) {
	h, err := s.keep(m.layout.encoder.Embed(b.graph))
	if err != nil {
		return nil, nil, err
	}
	states := []*ts.Tensor{h}
	var scores []*ts.Tensor
	var mods []modulation
	for l := range m.layout.encoder.Layers() {
		var mod modulation
		if b.tasks() == 0 {
			mod = given[l]
		}
		if h, mod.stats, err = m.layer(l, h, b, mode, mod.stats, s); err != nil {
			return nil, nil, fmt.Errorf("encoder layer %d: %w", l+1, err)
		}
		if b.tasks() > 0 && m.layout.task != nil {
			stats := mod.stats
			if mod, err = m.adaptLayer(l, h, b, mode.Site(uint64(siteTask+10*l)), s); err != nil {
				return nil, nil, fmt.Errorf("hypernetwork of encoder layer %d: %w", l+1, err)
			}
			mod.stats = stats
		}
		mods = append(mods, mod)
		if mod.w != nil {
			if h, err = s.keep(ops.FiLM(h, b.graph.Level(l), mod.w, mod.b, filmForms[m.config.Film])); err != nil {
				return nil, nil, err
			}
		}
		states = append(states, h)
		if mod.p != nil {
			scores = append(scores, mod.p)
		}
	}
	trace.modulations(mods)
	if scores != nil {
		mixture, p, err := ops.MixAtoms(states[1:], scores, b.graph, !mode.Training)
		if err != nil {
			return nil, nil, err
		}
		s.tensors = append(s.tensors, mixture, p)
		states = []*ts.Tensor{mixture}
	}
	read, err := m.readOut(states, b, s)
	return read, mods, err
}

// layer runs encoder layer l. Outside of training, with model.norm support,
// the support set is normalised by its own statistics, which are returned,
// and so are its task's queries, by the same, which are given. FiLM is why:
// what it does to one task's atoms, averages over all tasks do not know.
func (m *Model) layer(l int, h *ts.Tensor, b *batch, mode ops.Mode, given *gnn.Stats, s *scope) (*ts.Tensor, *gnn.Stats, error) {
	alone := b.tasks() > 0 && len(b.host.QueryMol) == 0
	if mode.Training || m.config.Norm == "running" || !alone {
		next, err := s.keep(m.layout.encoder.Layer(l, h, b.graph, mode.Site(uint64(siteEncoder+l)), given))
		return next, given, err
	}
	next, stats, err := m.layout.encoder.Support(l, h, b.graph)
	if err != nil {
		return nil, nil, err
	}
	s.tensors = append(s.tensors, next)
	if stats != nil { // PNA normalises each atom by itself
		s.tensors = append(s.tensors, stats.Mean, stats.Var)
	}
	return next, stats, nil
}

// adaptLayer is Eqs. 6 and 7 after layer l: the mean over each support
// molecule's atoms, its label, the class means, γ and p. The paper writes the
// mean, and it is that whatever model.readout is; the code published for FS-Mol
// has a combined readout here.
func (m *Model) adaptLayer(l int, h *ts.Tensor, b *batch, mode ops.Mode, s *scope) (modulation, error) {
	t, err := s.keep(ops.SegmentMean(h, b.graph, b.supportMol))
	if err != nil {
		return modulation{}, err
	}
	return m.layout.task[l].adapt(m.config.Adapt.Encoder, mode, m.config.Hyper.Dropout, s,
		func(h *ops.Hypernetwork, mode ops.Mode) (*ts.Tensor, error) {
			return h.Task(t, b.supportLabel, b.host.Support, mode)
		})
}
