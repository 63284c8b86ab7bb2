package model

import "pacia/data"

// Rememberer is a Method that keeps labels or molecules of the training tasks, to compare
// molecules by them. They are buffers with names that begin with [MemoryPrefix].
type Rememberer interface {
	// Remember keeps those of the tasks with these numbers.
	Remember(d *data.Dataset, tasks []int) error
	// Room makes room for what was kept, by the shapes of the buffers.
	Room(shapes map[string][]int64) error
}

// MemoryPrefix starts the names of what a Rememberer keeps.
const MemoryPrefix = "memory."

// Remember has the method keep labels or molecules of training tasks, if it does such a thing, and
// the model the quantiles of their molecules' descriptors, if it reads those: an encoder
// that was pretrained has brought its own.
func (m *Model) Remember(d *data.Dataset, tasks []int) error {
	if m.ranks != nil && !m.ranks.brought {
		if err := m.ranks.learn(d, tasks); err != nil {
			return err
		}
	}
	if r, ok := m.method.(Rememberer); ok {
		return r.Remember(d, tasks)
	}
	return nil
}

// Room makes room for the buffers of these shapes, which a stored model has and this one
// may not have yet.
func (m *Model) Room(shapes map[string][]int64) error {
	if r, ok := m.method.(Rememberer); ok && len(shapes) > 0 {
		return r.Room(shapes)
	}
	return nil
}
