package model

import (
	"cmp"
	"fmt"
	"regexp"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn"
	"pacia/gnn/encoders"
	"pacia/gnn/params"
	"pacia/ops"
)

// Legend: A atoms, n molecules of a batch, m selected molecules, d width of the
// atom embeddings, d' of a molecule's vector.

// Body is the part that methods share: the encoder and the readout of molecules, and
// the set that holds a method's own parameters. A method adds the encoder, then its
// own parameters of the encoder, then the readout, in the order of the data flow.
type Body struct {
	Set     *params.Set
	Encoder gnn.Encoder
	Readout *gnn.Readout
	Kernels bool // operations are kernels of package cuda
	// RowPerAtom is true if each atom needs its own row in every layer, because its states depend on more than its
	// environment, or are mixed over the layers.
	RowPerAtom bool

	config Config
	model  *Model // the model of this body
}

// Reads returns what the encoder reads of molecules.
func (b *Body) Reads() *gnn.Reading {
	e, _ := b.config.EncoderSpec()
	return e.Reads
}

// Place copies a batch to the device, for a method that splits batches.
func (b *Body) Place(h *data.Batch, s *ops.Scope) *Batch { return b.model.batch(h, s) }

// Double returns a copy of the model of b in double precision, with the same parameters,
// running averages and memory.
func (b *Body) Double() (*Model, error) { return b.model.copyIn(true) }

// Prefixes of the names of the parameters of the encoder and its readout.
const (
	EncoderPrefix = "encoder."
	ReadoutPrefix = "readout."
)

// AddEncoder lays out the encoder that the settings name.
func (b *Body) AddEncoder() (err error) {
	b.Encoder, err = encoders.New(b.Set, b.config.encoder())
	return err
}

// joinedWidth is the usual width of joined vectors of graphs and fingerprints, as in FS-Mol's
// prototypical networks.
const joinedWidth = 512

// AddReadout lays out the readout that the settings name.
func (b *Body) AddReadout() (err error) {
	c := b.config
	b.Readout, err = gnn.NewReadout(b.Set, gnn.ReadoutConfig{Jump: c.Jump, Pool: c.Readout}, c.Layers, c.Width)
	if _, joined := c.EncoderSpec(); err == nil && joined {
		b.Readout.Join(b.Set, c.inputs(), cmp.Or(c.Joined, joinedWidth), c.InputDropout)
	}
	return err
}

// Member lays out encoder and readout i, from 1, like those of b, with other initial values
// and names that begin with "member.i.".
func (b *Body) Member(i int) (*Body, error) {
	m := &Body{Set: b.Set, Kernels: b.Kernels, RowPerAtom: b.RowPerAtom, config: b.config}
	return m, b.Set.Within(fmt.Sprintf("member.%d.", i), m.AddAll)
}

var member = regexp.MustCompile(`^member\.\d+\.`)

// OfMember returns the name that a parameter of a member has in the model's own encoder or
// readout. It returns other names unchanged.
func OfMember(name string) string { return name[len(member.FindString(name)):] }

// AddAll is AddEncoder and AddReadout, for a method with nothing between them.
func (b *Body) AddAll() error {
	if err := b.AddEncoder(); err != nil {
		return err
	}
	return b.AddReadout()
}

// siteEncoder is the first key of the encoder's dropout. Keys of methods begin at
// 2000. Every dropout of a model has its own key.
const siteEncoder = 1000

// siteInput and siteJoined are the keys of the dropout of the encoder's input, and of
// fingerprints that are joined to its molecules.
const (
	siteInput  = 999
	siteJoined = 998
)

// After changes the atoms' states h [P, d] after encoder layer l, counted from 0.
type After func(l int, h *ts.Tensor) *ts.Tensor

// States runs the encoder on a batch and returns the states h⁰ to h^L, each of h¹ to
// h^L as changed by after, unless that is nil. Outside of training, with model.norm
// "support", each layer normalises a support set by its own mean and biased variance. States
// returns this mean and the unbiased variance, as training stores them in running averages.
// By these, in given, the queries of the task are normalised.
// The reason is FiLM: it changes the states of each task differently, so that running
// averages over all tasks do not fit.
//
// For queries with states cached in a table, States returns h^L only.
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

// input returns the input of layer l, given the states h⁰ to h^l.
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

// Encode runs the encoder without changes between the layers, and the readout.
func (b *Body) Encode(batch *Batch, m ops.Mode, given []*gnn.Stats, s *ops.Scope) (*Molecules, []*gnn.Stats) {
	states, stats := b.States(batch, m, given, nil, s)
	return b.Read(states, batch, m, s), stats
}

// Molecules holds the molecules of a batch after the readout (Eq. 2).
type Molecules struct {
	batch   *Batch
	atoms   *ts.Tensor // [A, d] states; vectors are their means over atoms; or nil
	vectors *ts.Tensor // [n, d'] if atoms is nil
}

// Read reads out molecules, by model.readout and model.jump, from the states h⁰ … h^L of
// the atoms or from h^L alone.
func (b *Body) Read(states []*ts.Tensor, batch *Batch, m ops.Mode, s *ops.Scope) *Molecules {
	last := states[len(states)-1]
	switch r := b.Readout; {
	case r.Plain():
		return &Molecules{batch: batch, atoms: last}
	case r.Last():
		states = []*ts.Tensor{last}
	}
	return &Molecules{batch: batch, vectors: s.Keep(b.Readout.Molecules(states, batch.Graph, m.Site(siteJoined)))}
}

// Of returns the vectors [m, d'] of the molecules with the numbers which [m].
func (m *Molecules) Of(which *ts.Tensor, s *ops.Scope) *ts.Tensor {
	if m.atoms != nil {
		return s.Keep(ops.SegmentMean(m.atoms, m.batch.Graph, which))
	}
	return s.Keep(ops.Rows(m.vectors, which))
}

// sharing is what layers of the encoder compute once for all atoms of one environment. Kernels, encoders without shared
// environments, and a readout of the states of all layers leave it at sharesNothing.
type sharing int

const (
	sharesNothing sharing = iota
	// sharesFirst: the sums of the first layer, which depend on the environment alone. Its batch norm and dropout differ
	// between tasks.
	sharesFirst
	// sharesAll: all layers. The queries of one task are all normalised by the same given statistics.
	sharesAll
	// sharesGroups: all layers within each group, with states that are expanded to atoms in between. Dropout masks are
	// those of environments, or there is no dropout in an encoder that normalises no group.
	sharesGroups
)

// levels returns how many of the layers run on environments instead of atoms.
func (s sharing) levels(layers int) int {
	switch s {
	case sharesNothing:
		return 0
	case sharesFirst:
		return 1
	}
	return layers
}

// sharing returns what the layers share on the atoms of a batch.
func (b *Body) sharing(h *data.Batch) sharing {
	e, _ := b.config.EncoderSpec()
	switch {
	case b.Kernels || b.Readout == nil:
		return sharesNothing
	case e.Shares == gnn.SharesAll &&
		(h.Support == 0 || b.config.Dropout == 0 || b.config.DropoutMask == MaskSurrounding):
		return sharesGroups
	case e.Shares != gnn.SharesFirst || !b.Readout.Last():
		return sharesNothing
	case h.Tasks == 1 && h.Support == 0 && !b.RowPerAtom:
		return sharesAll
	case b.config.DropoutMask == MaskSurrounding:
		return sharesGroups
	}
	return sharesFirst
}
