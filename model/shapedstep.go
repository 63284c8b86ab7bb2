package model

import (
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/category"
	"pacia/gnn/params"
	"pacia/ops"
)

// maxDropouts is the maximum number of dropouts in a step; the presets have up to 20.
const maxDropouts = 512

// shape is equal for two batches if their steps have the same operations and sizes.
// Numbers of atoms and bonds are rounded up, and batches are padded.
//
// Legend: A atoms, k features of one, or 0, E bonds, n molecules, B tasks, N
// support molecules of a task, K shots, Q queries.
type shape struct {
	atoms, features, bonds, molecules, tasks, support, shots, queries int
}

func shapeOf(h *data.Batch) shape {
	atoms := len(h.RowPtr) - 1
	return shape{
		atoms: rounded(atoms), features: len(h.Features) / max(1, atoms), bonds: rounded(len(h.Col)), molecules: len(h.MolPtr) - 1,
		tasks: h.Tasks, support: h.Support, shots: h.Shots, queries: len(h.QueryMol),
	}
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
	atoms        part // their categories, or their features
	rowptr, col  ops.Part[int32]
	code         ops.Part[uint8]
	mol          ops.Part[int32]
	group, task  ops.Part[int32]
	supportMol   ops.Part[int32]
	queryMol     ops.Part[int32]
	queryTask    ops.Part[int32]
	supportLabel ops.Part[uint8]
	queryLabel   ops.Part[uint8]
	queryWeight  part // of the type of the model's parameters
	key          ops.Part[int64]
	slab         *ops.Slab
	batch        *Batch
	keys         *ops.Keys
	step         *ops.AdamStep
	graph        recording // of its launches, or nil
	calls, used  int       // number of steps made; time of the last one
	refusals     int       // failed attempts to capture the graph
}

func newShapedStep(s shape, like *data.Batch, adam *ops.Adam, set *params.Set) (p *shapedStep, err error) {
	p = &shapedStep{shape: s}
	if p.slab, err = p.layOut(set); err == nil {
		p.batch, p.keys, err = p.bindTensors(like)
	}
	if err == nil {
		p.step, err = adam.NewStep()
	}
	if err != nil {
		p.drop()
		return nil, fmt.Errorf("training step of %d atoms: %w", s.atoms, err)
	}
	return p, nil
}

func (p *shapedStep) layOut(set *params.Set) (*ops.Slab, error) {
	var plan ops.SlabPlan
	atoms, bonds, n := int64(p.shape.atoms), int64(p.bonds), int64(p.molecules)
	B, N, Q := int64(p.tasks), int64(p.support), int64(p.queries)
	if k := int64(p.features); k > 0 {
		p.atoms = paddedTo(p, ops.Plan[float32](&plan, atoms, k), func(h *data.Batch) []float32 { return h.Features })
	} else {
		p.atoms = paddedTo(p, ops.Plan[uint8](&plan, atoms, 2), func(h *data.Batch) []uint8 { return h.Atoms })
	}
	p.rowptr = ops.Plan[int32](&plan, atoms+1)
	p.col = ops.Plan[int32](&plan, bonds)
	p.code = ops.Plan[uint8](&plan, bonds)
	p.mol = ops.Plan[int32](&plan, n+1)
	p.group = ops.Plan[int32](&plan, 2*B+1)
	p.task = ops.Plan[int32](&plan, B+1)
	p.supportMol = ops.Plan[int32](&plan, B*N)
	p.queryMol = ops.Plan[int32](&plan, Q)
	p.queryTask = ops.Plan[int32](&plan, Q)
	p.supportLabel = ops.Plan[uint8](&plan, B*N)
	p.queryLabel = ops.Plan[uint8](&plan, Q)
	if set.Float64 {
		p.queryWeight = weightsOf[float64](p, &plan)
	} else {
		p.queryWeight = weightsOf[float32](p, &plan)
	}
	p.key = ops.Plan[int64](&plan, maxDropouts)
	return ops.NewSlab(&plan, set.Device)
}

// part is a part of the slab, whose elements are of a type that depends on the model.
type part struct {
	fill   func(*data.Batch)
	tensor func(*ops.Slab) *ts.Tensor
}

// paddedTo returns a part that is filled with values of a batch and padded with zeros.
func paddedTo[T ops.Element](p *shapedStep, of ops.Part[T], values func(*data.Batch) []T) part {
	return part{func(h *data.Batch) {
		var zero T
		pad(ops.Fill(p.slab, of), values(h), zero)
	}, of.Tensor}
}

func weightsOf[T float32 | float64](p *shapedStep, plan *ops.SlabPlan) part {
	of := ops.Plan[T](plan, int64(p.queries))
	return part{func(h *data.Batch) {
		to := ops.Fill(p.slab, of)
		for i, w := range queryWeights(h) {
			to[i] = T(w)
		}
	}, of.Tensor}
}

// bindTensors returns a batch with tensors that are views of the slab. It uses only the sizes of like.
func (p *shapedStep) bindTensors(like *data.Batch) (*Batch, *ops.Keys, error) {
	s := p.slab
	parts := ops.GraphParts{RowPtr: p.rowptr.Tensor(s), Col: p.col.Tensor(s), Code: p.code.Tensor(s),
		Mol: p.mol.Tensor(s), Group: p.group.Tensor(s), Task: p.task.Tensor(s)}
	if p.features > 0 {
		parts.Features = p.atoms.tensor(s)
	} else {
		parts.Atoms = p.atoms.tensor(s)
	}
	g, err := ops.GraphOf(parts)
	if err != nil {
		return nil, nil, err
	}
	sizes := *like
	keys, err := ops.NewKeys(p.key.Tensor(s))
	return &Batch{Host: &sizes, Graph: g, SupportMol: p.supportMol.Tensor(s), QueryMol: p.queryMol.Tensor(s),
		QueryTask: p.queryTask.Tensor(s), SupportLabel: p.supportLabel.Tensor(s),
		QueryLabel: p.queryLabel.Tensor(s), QueryWeight: p.queryWeight.tensor(s)}, keys, err
}

// upload fills the slab and starts its copy to the device.
func (p *shapedStep) upload(h *data.Batch, key uint64) error {
	if err := p.slab.Next(); err != nil {
		return err
	}
	p.atoms.fill(h)
	pad(ops.Fill(p.slab, p.rowptr), h.RowPtr, int32(len(h.Col)))
	pad(ops.Fill(p.slab, p.col), h.Col, 0)
	code := ops.Fill(p.slab, p.code)
	clear(code[len(h.Col):])
	for i := range h.Col {
		code[i] = category.BondCode(h.Bond[2*i], h.Bond[2*i+1])
	}
	copy(ops.Fill(p.slab, p.mol), h.MolPtr)
	copy(ops.Fill(p.slab, p.group), h.GroupPtr)
	task := ops.Fill(p.slab, p.task)
	for t := range task {
		task[t] = h.GroupPtr[2*t]
	}
	copy(ops.Fill(p.slab, p.supportMol), h.SupportMol)
	copy(ops.Fill(p.slab, p.queryMol), h.QueryMol)
	copy(ops.Fill(p.slab, p.queryTask), h.QueryTask)
	copy(ops.Fill(p.slab, p.supportLabel), h.SupportLabel)
	copy(ops.Fill(p.slab, p.queryLabel), h.QueryLabel)
	p.queryWeight.fill(h)
	p.keys.Fill(ops.Fill(p.slab, p.key), key)
	return p.slab.Send()
}

// pad copies the values from to the beginning of to, and fills the rest of it with v.
func pad[T any](to, from []T, v T) {
	for i := copy(to, from); i < len(to); i++ {
		to[i] = v
	}
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
