package kernel

import (
	"pacia/data"
	"pacia/model/shared/counts"
	"pacia/model/shared/remembered"
)

// Remember keeps the labels of the training tasks with these numbers.
func (k *kernel) Remember(d *data.Dataset, tasks []int) error {
	if !k.Memory {
		return nil
	}
	all, err := remembered.Gather(d, tasks)
	if err != nil {
		return err
	}
	return k.memory.remember(k.body.Set, all, remembered.SkeletonsOf(d, tasks, all, enough), len(tasks))
}

// SeenInTraining returns a function that reports whether a molecule has at least [enough] labels
// in training tasks.
func (k *kernel) SeenInTraining() (func(bit, count []uint16) bool, error) {
	if err := k.memory.read(); err != nil || k.memory.rows == nil {
		return nil, err
	}
	return func(bit, count []uint16) bool {
		return k.memory.of(counts.Vector{Bit: bit, Count: count}).entries != nil
	}, nil
}

// Skeletons returns a function that reports whether a molecule with a skeleton seems to have labels.
func (k *kernel) Skeletons() (func(skeleton uint64) bool, error) { return k.memory.Skeletons() }

// Room allocates the stored buffers.
func (k *kernel) Room(shapes map[string][]int64) error {
	k.memory.Room(k.body.Set, shapes)
	k.memory.actives = k.body.Set.Buffer(sharesName, 0, int64(remembered.Size(shapes, sharesName)))
	return k.body.Set.Err()
}

// profile holds the known labels of support molecules: [T, N].
type profile struct {
	n      int
	values []float32
}

func profileOf(known []row, tasks int) profile {
	p := profile{n: len(known), values: make([]float32, tasks*len(known))}
	for i, row := range known {
		for _, e := range row.entries {
			p.values[int(e.task)*p.n+i] = e.value
		}
	}
	return p
}

// cosines adds to into [N] the cosines of the labels of a molecule and of each support
// molecule, 0 if either has none, times a weight.
func (p profile) cosines(row []entry, weight float64, into []float64) {
	into = into[:p.n]
	for _, e := range row {
		value := weight * float64(e.value)
		for i, v := range p.values[int(e.task)*p.n:][:len(into)] {
			into[i] += value * float64(v)
		}
	}
}
