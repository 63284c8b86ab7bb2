package model

import "pacia/data"

// MemoryPrefix starts the names of what a WithMemory keeps.
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
	if r, ok := m.method.(WithMemory); ok {
		return r.Remember(d, tasks)
	}
	return nil
}

// Room makes room for the buffers of these shapes, which a stored model has and this one
// may not have yet.
func (m *Model) Room(shapes map[string][]int64) error {
	if r, ok := m.method.(WithMemory); ok && len(shapes) > 0 {
		return r.Room(shapes)
	}
	return nil
}
