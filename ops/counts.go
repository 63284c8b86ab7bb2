package ops

import (
	"errors"
	"fmt"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/internal/each"
)

// Legend: n molecules, C entries of fingerprints that are not 0, F counts of a
// fingerprint, B tasks, R rows, d width.

var (
	countsOp = Named("embed counts")
	denseOp  = Named("dense layer")
)

// Counts are the fingerprints of a batch in Go's memory.
type Counts struct {
	Ptr   []int32   // [n+1] entries of molecule m: Ptr[m]..Ptr[m+1]
	Bit   []uint16  // [C]
	Count []uint16  // [C]
	Value []float32 // [C] inputs; nil: log(1 + Count). Count may be nil if Value is set
	Group []int32   // [2B+1] molecules of each task's support and queries
}

// counts are fingerprints on a device.
type counts struct{ ptr, bit, value *ts.Tensor } // [n+1], [C], [C] log(1 + count)

// NewCountGraph copies fingerprints to a device, as a graph without bonds in which
// each molecule is one row. Bits are below bits.
func NewCountGraph(c Counts, bits int, d Device) (*Graph, error) {
	if err := c.check(bits); err != nil {
		return nil, fmt.Errorf("fingerprints: %w", err)
	}
	n := len(c.Ptr) - 1
	molecule := each.Order[int32](n + 1)
	u := upload{to: new(Graph), device: d}
	u.to.mol = u.ints(molecule)
	u.to.bonds = Level{before: n}
	u.groups(c.Group)
	u.counts(&c)
	return u.graph("fingerprints")
}

// AddCounts adds the fingerprints of its molecules to a graph of atoms.
func (g *Graph) AddCounts(c Counts, bits int, d Device) error {
	if err := c.check(bits); err != nil {
		return fmt.Errorf("fingerprints: %w", err)
	}
	u := upload{to: g, device: d}
	u.counts(&c)
	return u.err
}

// LogCount returns the input for a count.
func LogCount(n uint16) float32 { return float32(math.Log1p(float64(n))) }

// counts copies entries. The input is the logarithm of a count, so that the thirteenth
// ring of a kind changes it less than the first.
func (u *upload) counts(c *Counts) {
	bit, value := make([]int32, len(c.Bit)), c.Value
	for i := range bit {
		bit[i] = int32(c.Bit[i])
	}
	if value == nil {
		value = make([]float32, len(c.Count))
		for i, n := range c.Count {
			value[i] = LogCount(n)
		}
	}
	u.to.counts = counts{u.ints(c.Ptr), u.ints(bit), u.keep(Vector(value, u.device))}
}

// check returns an error for input that would make a loop access memory out of bounds.
func (c *Counts) check(bits int) error {
	if len(c.Ptr) < 2 {
		return errors.New("a batch without any; give molecules that have fingerprints")
	}
	if c.Value != nil && len(c.Bit) != len(c.Value) {
		return fmt.Errorf("%d bits with %d values", len(c.Bit), len(c.Value))
	}
	if c.Value == nil && len(c.Bit) != len(c.Count) {
		return fmt.Errorf("%d bits with %d counts", len(c.Bit), len(c.Count))
	}
	if err := checkOffsets("Ptr", c.Ptr, len(c.Bit)); err != nil {
		return err
	}
	for i, bit := range c.Bit {
		if int(bit) >= bits {
			return fmt.Errorf("bit %d of entry %d is out of range of 0 to %d", bit, i, bits-1)
		}
	}
	if c.Group == nil {
		return nil
	}
	return checkOffsets("Group", c.Group, len(c.Ptr)-1)
}

// EmbedCounts returns h⁰ [n, d] of molecules: b [d] and, for each of their counts
// c, log(1+c) times its row of w [F, d]. In training, dropout omits counts.
func EmbedCounts(g *Graph, w, b *ts.Tensor, m Mode) (*ts.Tensor, error) {
	return countsOp.One(Args{
		Mode:  m,
		In:    []*ts.Tensor{g.counts.ptr, g.counts.bit, g.counts.value, w, b},
		Ints:  []int64{int64(m.Key)},
		Reals: []float64{m.Rate()},
	})
}

// Dense is the parameters of one layer of a multilayer perceptron.
type Dense struct {
	W, B                   *ts.Tensor // [d', d], [d']
	Gamma, Beta, Mean, Var *ts.Tensor // [d] batch norm, as in GIN; nil without one
}

// Layer returns W dropout(ReLU(batch norm(h))) + b [R, d'] of h [R, d]. In training it
// updates the running averages.
func (l *Dense) Layer(h *ts.Tensor, v *Level, m Mode) (*ts.Tensor, error) {
	next, _, _, err := l.run(h, v, m, false)
	return next, err
}

// Support is like Layer, normalised by each group's own statistics, as [Convolution.Support].
// The layer must have a batch norm.
func (l *Dense) Support(h *ts.Tensor, v *Level) (next, mean, variance *ts.Tensor, err error) {
	return l.run(h, v, Mode{Training: true}, true)
}

func (l *Dense) run(h *ts.Tensor, v *Level, m Mode, own bool) (next, mean, variance *ts.Tensor, err error) {
	return denseOp.Three(Args{
		Mode:  m,
		In:    []*ts.Tensor{h, l.W, l.B, l.Gamma, l.Beta, l.Mean, l.Var, v.group},
		Ints:  []int64{Flag(m.Training), Flag(true), int64(m.Key), Flag(own)},
		Reals: []float64{m.Dropout},
	})
}
