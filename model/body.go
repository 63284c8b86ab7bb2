package model

import (
	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn"
	"pacia/gnn/encoders"
	"pacia/gnn/params"
	"pacia/ops"
)

// Legend: A atoms, n molecules of a batch, m of them asked for, d width of the
// atom embeddings, d' of a molecule's vector.

// Body is what methods share: the encoder and the readout of molecules, and the
// set in which a method lays out its own parameters. A method adds the encoder,
// then what it has for it, then the readout, which is the order of the data's way.
type Body struct {
	Set     *params.Set
	Encoder gnn.Encoder
	Readout *gnn.Readout
	Kernels bool // operations are kernels of package cuda
	// Mixes says that the states of all layers are mixed for each atom, which
	// therefore has a row of its own in every layer.
	Mixes bool

	config Config
	model  *Model // whose method it is the body of
}

// Place puts a batch on the device, for a method that takes batches apart.
func (b *Body) Place(h *data.Batch, s *ops.Scope) *Batch { return b.model.batch(h, s) }

// Double is another model like the one that b is the body of, in double precision. It
// has the same parameters, running averages and memory.
func (b *Body) Double() (*Model, error) { return b.model.copyIn(true) }

// AddEncoder lays out the encoder that the settings name.
func (b *Body) AddEncoder() (err error) {
	b.Encoder, err = encoders.New(b.Set, b.config.encoder())
	return err
}

// joinedWidth is that of vectors of graphs and fingerprints, as in FS-Mol's
// prototypical networks.
const joinedWidth = 512

// AddReadout lays out the readout that the settings name.
func (b *Body) AddReadout() (err error) {
	c := b.config
	b.Readout, err = gnn.NewReadout(b.Set, gnn.ReadoutConfig{Jump: c.Jump, Pool: c.Readout}, c.Layers, c.Width)
	if _, joined := c.EncoderSpec(); err == nil && joined {
		b.Readout.Join(b.Set, c.inputs(), joinedWidth)
	}
	return err
}

// Member lays out another encoder and readout like those of b, with other values to
// begin with, and names that begin with prefix.
func (b *Body) Member(prefix string) (*Body, error) {
	m := &Body{Set: b.Set, Kernels: b.Kernels, Mixes: b.Mixes, config: b.config}
	return m, b.Set.Within(prefix, m.AddAll)
}

// AddAll is AddEncoder and AddReadout, for a method with nothing between them.
func (b *Body) AddAll() error {
	if err := b.AddEncoder(); err != nil {
		return err
	}
	return b.AddReadout()
}

// siteEncoder is where the keys of the encoder's dropout begin. Those of methods
// begin at 2000; every place of a model has a key of its own.
const siteEncoder = 1000

// siteInput is the key of the dropout of what the encoder reads.
const siteInput = 999

// After is what a method does to the atoms' states h [P, d] after encoder layer l,
// counted from 0.
type After func(l int, h *ts.Tensor) *ts.Tensor

// States runs the encoder on a batch and returns h⁰ to h^L after what the method
// did to each, or nothing where after is nil. Outside of training, with model.norm
// support, each layer normalises a support set by its own statistics, which are
// returned, and its task's queries by the same, which are given. FiLM is why: what
// it does to one task's atoms, averages over all tasks do not know.
//
// Of queries whose states a table keeps only h^L is returned.
func (b *Body) States(batch *Batch, m ops.Mode, given []*gnn.Stats, after After, s *ops.Scope) (states []*ts.Tensor, stats []*gnn.Stats) {
	kept := batch.cached
	h := s.Keep(b.Encoder.Embed(batch.Graph, m.Site(siteInput)))
	states = append(states, kept.put(0, h, s))
	alone := batch.tasks() > 0 && len(batch.Host.QueryMol) == 0
	for l := range b.Encoder.Layers() {
		s.At("encoder layer", l+1)
		x := b.input(l, states, s)
		var own *gnn.Stats
		if batch.tasks() == 0 && given != nil {
			own = given[l]
		}
		if m.Training || b.config.Norm == "running" || !alone {
			h = s.Keep(b.Encoder.Layer(l, x, batch.Graph, m.Site(uint64(siteEncoder+l)), own))
		} else {
			h, own = b.support(l, x, batch, s)
		}
		stats = append(stats, own)
		if after != nil {
			h = after(l, h)
		}
		states = append(states, kept.put(l+1, h, s))
	}
	s.At("", 0)
	if kept != nil {
		states = []*ts.Tensor{kept.last(s)}
	}
	return states, stats
}

// input is what layer l reads of the states h⁰ to h^l.
func (b *Body) input(l int, states []*ts.Tensor, s *ops.Scope) *ts.Tensor {
	if r, ok := b.Encoder.(gnn.Residual); ok && r.Back(l) > 0 {
		return s.Keep(ops.Middle(states[l], states[l-r.Back(l)]))
	}
	return states[l]
}

func (b *Body) support(l int, h *ts.Tensor, batch *Batch, s *ops.Scope) (*ts.Tensor, *gnn.Stats) {
	next, stats, err := b.Encoder.Support(l, h, batch.Graph)
	s.Check(err)
	if stats != nil { // PNA and GNN-FiLM normalise each atom by itself
		s.Keep2(stats.Mean, stats.Var, nil)
	}
	return s.Keep(next, nil), stats
}

// Encode is States without anything between the layers, read out.
func (b *Body) Encode(batch *Batch, m ops.Mode, given []*gnn.Stats, s *ops.Scope) (*Molecules, []*gnn.Stats) {
	states, stats := b.States(batch, m, given, nil, s)
	return b.Read(states, batch, s), stats
}

// Molecules are those of a batch, read out (Eq. 2).
type Molecules struct {
	batch   *Batch
	atoms   *ts.Tensor // [A, d] whose means over atoms they are, or nil
	vectors *ts.Tensor // [n, d'] where atoms is nil
}

// Read makes of the states h⁰ … h^L of the atoms, or of the last of them, what
// model.readout and model.jump say.
func (b *Body) Read(states []*ts.Tensor, batch *Batch, s *ops.Scope) *Molecules {
	last := states[len(states)-1]
	switch r := b.Readout; {
	case r.Plain():
		return &Molecules{batch: batch, atoms: last}
	case r.Last():
		states = []*ts.Tensor{last}
	}
	return &Molecules{batch: batch, vectors: s.Keep(b.Readout.Molecules(states, batch.Graph))}
}

// Of returns the vectors of the molecules which [m]: [m, d'].
func (m *Molecules) Of(which *ts.Tensor, s *ops.Scope) *ts.Tensor {
	if m.atoms != nil {
		return s.Keep(ops.SegmentMean(m.atoms, m.batch.Graph, which))
	}
	return s.Keep(ops.Rows(m.vectors, which))
}

// levels is how many encoder layers run on distinct surroundings of atoms.
// The first layer's sums depend on nothing else. Its batch norm, and dropout,
// do tell atoms of different tasks apart; but not queries of one task, whose
// atoms are all normalised by the same given statistics. A mixture of layers
// is one of atoms, and so is what is read out of the states of all layers.
// Encoders that share nothing, and kernels, run on atoms alone.
//
// Where surroundings have masks, all layers run on those of each group, and their
// states are spread to the atoms in between: grouped. So they do in an encoder that
// normalises no group, where there is no dropout by atoms.
func (b *Body) levels(h *data.Batch) (n int, grouped bool) {
	e, _ := b.config.EncoderSpec()
	switch {
	case b.Kernels || b.Readout == nil:
		return 0, false
	case e.Shares == gnn.SharesAll &&
		(h.Support == 0 || b.config.Dropout == 0 || b.config.DropoutMask == MaskSurrounding):
		return b.config.Layers, true
	case e.Shares != gnn.SharesFirst || !b.Readout.Last():
		return 0, false
	case h.Tasks == 1 && h.Support == 0 && !b.Mixes:
		return b.config.Layers, false
	case b.config.DropoutMask == MaskSurrounding:
		return b.config.Layers, true
	}
	return 1, false
}
