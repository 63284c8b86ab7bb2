package model

import (
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/category"
	"pacia/data/molecule"
	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/internal/each"
	"pacia/ops"
)

// maxDropouts is the maximum number of dropouts in a step; the presets have up to 20.
const maxDropouts = 512

// shape is equal for two batches if their steps have the same operations and sizes.
// Numbers of atoms and bonds are rounded up, and batches are padded.
//
// Legend: A atoms, E bonds, n molecules, B tasks, N support molecules of a task, K shots, Q queries.
type shape struct {
	atoms, bonds, molecules, tasks, support, shots, queries int
}

func shapeOf(h *data.Batch) shape {
	return shape{
		atoms: rounded(h.Rows(molecule.PerAtom)), bonds: rounded(h.Rows(molecule.PerBond)), molecules: h.Rows(molecule.PerMolecule),
		tasks: h.Tasks, support: h.Support, shots: h.Shots, queries: len(h.QueryMol),
	}
}

// rows returns how many rows an array has, with padding.
func (s shape) rows(p molecule.Per) int {
	return [...]int{molecule.PerAtom: s.atoms, molecule.PerBond: s.bonds, molecule.PerMolecule: s.molecules}[p]
}

// rounded returns n rounded up to a multiple of an eighth of the power of two below it:
// 6 % of padding on average, and few different shapes.
func rounded(n int) int {
	step := 64
	for 16*step <= n {
		step *= 2
	}
	return (n + step - 1) / step * step
}

// shapedStep is the training step of one shape of batches: a slab for the data of a
// batch, and the operations on it.
type shapedStep struct {
	shape
	parts       []part
	slab        *ops.Slab
	dropout     ops.Part[int64] // keys
	batch       *Batch          // its tensors are views of the slab
	keys        *ops.Keys
	step        *ops.AdamStep
	graph       recording // of its launches, or nil
	calls, used int       // number of steps made; time of the last one
	refusals    int       // failed attempts to capture the graph
}

// part copies one array of a batch into its part of the slab, and a view of that part into the tensor of the step.
type part struct {
	fill func(*data.Batch) error // from a batch
	bind func()                  // sets its tensor
}

func newShapedStep(s shape, like *data.Batch, adam *ops.Adam, m *Model) (p *shapedStep, err error) {
	sizes := *like
	p = &shapedStep{shape: s, batch: &Batch{Host: &sizes}}
	if err = p.layOut(m.config, m.set); err == nil {
		p.step, err = adam.NewStep()
	}
	if err != nil {
		p.drop()
		return nil, fmt.Errorf("training step of %d atoms: %w", s.atoms, err)
	}
	return p, nil
}

// layOut lists the parts of the slab and makes it, with a batch whose tensors are views of it.
func (p *shapedStep) layOut(c Config, set *params.Set) (err error) {
	var plan ops.SlabPlan
	b, B, N, Q := p.batch, p.tasks, p.support, p.queries
	e, _ := c.EncoderSpec()
	graph := ops.GraphParts{Inputs: map[string]*ts.Tensor{}}
	p.structure(&plan, &graph, e.Reads.Whole)
	for _, a := range append([]gnn.Array{e.Reads.Rows}, e.Reads.Arrays...) {
		p.array(&plan, graph.Inputs, a)
	}
	place(p, &plan, &b.SupportMol, func(h *data.Batch) []int32 { return h.SupportMol }, B*N)
	place(p, &plan, &b.QueryMol, func(h *data.Batch) []int32 { return h.QueryMol }, Q)
	place(p, &plan, &b.QueryTask, func(h *data.Batch) []int32 { return h.QueryTask }, Q)
	place(p, &plan, &b.SupportLabel, func(h *data.Batch) []uint8 { return h.SupportLabel }, B*N)
	place(p, &plan, &b.QueryLabel, func(h *data.Batch) []uint8 { return h.QueryLabel }, Q)
	if set.Float64 {
		place(p, &plan, &b.QueryWeight, queryWeights, Q)
	} else {
		place(p, &plan, &b.QueryWeight, func(h *data.Batch) []float32 { return each.As[float32](queryWeights(h)) }, Q)
	}
	p.dropout = ops.Plan[int64](&plan, maxDropouts)
	if p.slab, err = ops.NewSlab(&plan, set.Device); err != nil {
		return err
	}
	for _, part := range p.parts {
		part.bind()
	}
	if b.Graph, err = ops.GraphOf(graph); err == nil {
		p.keys, err = ops.NewKeys(p.dropout.Tensor(p.slab))
	}
	return err
}

// structure adds the offsets of the graph, of atoms or of whole molecules, which are one row each.
func (p *shapedStep) structure(plan *ops.SlabPlan, g *ops.GraphParts, whole bool) {
	groups, molecules := func(h *data.Batch) []int32 { return h.GroupPtr }, func(h *data.Batch) []int32 { return h.MolPtr }
	if whole {
		groups, molecules = moleculeGroups, func(h *data.Batch) []int32 { return each.Order[int32](len(h.MolPtr)) }
	}
	place(p, plan, &g.Mol, molecules, p.molecules+1)
	place(p, plan, &g.Group, groups, 2*p.tasks+1)
	fill(p, plan, &g.Task, func(to []int32, h *data.Batch) error {
		group := groups(h)
		for t := range to {
			to[t] = group[2*t]
		}
		return nil
	}, p.tasks+1)
	if whole {
		return
	}
	fill(p, plan, &g.RowPtr, func(to []int32, h *data.Batch) error {
		for i := copy(to, h.RowPtr); i < len(to); i++ {
			to[i] = int32(len(h.Col)) // padding atoms have no bonds
		}
		return nil
	}, p.shape.atoms+1)
	place(p, plan, &g.Col, func(h *data.Batch) []int32 { return h.Col }, p.bonds)
	fill(p, plan, &g.Code, func(to []uint8, h *data.Batch) error {
		clear(to[len(h.Col):])
		for i := range h.Col {
			to[i] = category.BondCode(h.Bond[2*i], h.Bond[2*i+1])
		}
		return nil
	}, p.bonds)
}

// array adds an array that the encoder declares.
func (p *shapedStep) array(plan *ops.SlabPlan, inputs map[string]*ts.Tensor, a gnn.Array) {
	rows, to := p.rows(a.Per), new(*ts.Tensor)
	switch {
	case a.Name == "":
		return
	case a.Kind == molecule.Byte:
		fill(p, plan, to, func(part []uint8, h *data.Batch) error {
			n, err := a.Numbers(h)
			pad(part, n.Bytes)
			return err
		}, rows, a.Width)
	default:
		fill(p, plan, to, func(part []float32, h *data.Batch) error {
			n, err := a.Numbers(h)
			pad(part, n.Floats)
			return err
		}, rows, a.Width)
	}
	bind := p.parts[len(p.parts)-1].bind
	p.parts[len(p.parts)-1].bind = func() { bind(); inputs[a.Name] = *to }
}

// place adds a part that is filled with values of a batch and padded with zeros.
func place[T ops.Element](p *shapedStep, plan *ops.SlabPlan, to **ts.Tensor, values func(*data.Batch) []T, shape ...int) {
	fill(p, plan, to, func(part []T, h *data.Batch) error {
		pad(part, values(h))
		return nil
	}, shape...)
}

// fill adds a part of the given shape that write fills. to becomes its tensor.
func fill[T ops.Element](p *shapedStep, plan *ops.SlabPlan, to **ts.Tensor, write func([]T, *data.Batch) error, shape ...int) {
	of := ops.Plan[T](plan, each.As[int64](shape)...)
	p.parts = append(p.parts, part{
		fill: func(h *data.Batch) error { return write(ops.Fill(p.slab, of), h) },
		bind: func() { *to = of.Tensor(p.slab) },
	})
}

// pad copies the values from to the beginning of to, and fills the rest of it with zeros.
func pad[T any](to, from []T) { clear(to[copy(to, from):]) }

// upload fills the slab and starts its copy to the device.
func (p *shapedStep) upload(h *data.Batch, key uint64) error {
	if err := p.slab.Next(); err != nil {
		return err
	}
	for _, part := range p.parts {
		if err := part.fill(h); err != nil {
			return fmt.Errorf("training step: %w", err)
		}
	}
	p.keys.Fill(ops.Fill(p.slab, p.dropout), key)
	return p.slab.Send()
}

func (p *shapedStep) drop() {
	if p.graph != nil {
		p.graph.Drop()
	}
	if p.step != nil {
		p.step.Drop()
	}
	if p.slab != nil {
		p.slab.Drop() // with all tensors of the batch
	}
}

// launch starts the operations of one step: forward, backward and optimiser. The
// first call derives the keys of dropout from key; later they are in the slab. If
// capturing is set, the operations become the content of a CUDA graph.
func (m *Model) launch(p *shapedStep, key uint64, capturing bool) error {
	// Without existing gradients, the backward pass stores its own tensors as gradients and
	// does not add to others.
	if err := ops.ForgetGradients(params.Tensors(m.Parameters())); err != nil {
		return err
	}
	return ops.InScope(func(s *ops.Scope) {
		loss := m.method.Loss(p.batch, ops.Mode{Training: true, Key: key, Keys: p.keys}, s)
		p.keys.Known()
		s.Check(ops.Backward(loss))
		s.Check(p.step.Launch(loss, false, capturing))
	})
}
