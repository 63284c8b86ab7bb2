package model

import (
	"pacia/data"
	"pacia/model/shared/past"
)

// MemoryPrefix starts the names of the buffers that a WithMemory keeps.
const MemoryPrefix = "memory."

// MemorySkeletons is the name of the buffer of the skeletons of a WithMemory's molecules, which checkpoints of versions
// before it lack. A run computes it again when it begins.
const MemorySkeletons = MemoryPrefix + "skeletons"

// Remember makes the method keep labels or molecules of the training tasks, if it is a WithMemory.
// If the model reads descriptors, Remember also keeps the quantiles of the molecules' descriptors,
// unless they were loaded with a pretrained encoder.
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

// Room allocates buffers of these shapes, which a stored model has, as far as this model lacks
// them.
func (m *Model) Room(shapes map[string][]int64) error {
	if r, ok := m.method.(WithMemory); ok && len(shapes) > 0 {
		return r.Room(shapes)
	}
	return nil
}

// Recall returns a model that also compares molecules by their labels in past assays of a user. It shares the parameters of
// m, and m does not change. The method must have the trait History.
func (m *Model) Recall(h History) *Model {
	r := m.with(m.method.(WithHistory).Recall(h))
	r.recalls = true
	return r
}

// Past returns the past assays that the model's file holds, or nil.
func (m *Model) Past() *past.Memory { return m.past }

// Hold makes the model hold past assays, which [Model.Recall] may then recall.
func (m *Model) Hold(p *past.Memory) { m.past = p }

// Recalls reports whether the model compares molecules by past assays.
func (m *Model) Recalls() bool { return m.recalls }

// PastPart returns a model with a part of what past assays give it. The model must recall them.
func (m *Model) PastPart(part PastPart) *Model { return m.with(m.method.(WithHistory).Part(part)) }

// with returns a model with another method of the same parameters.
func (m *Model) with(method Method) *Model {
	return &Model{spec: m.spec, config: m.config, set: m.set, body: m.body, method: method, tuning: m.tuning, ranks: m.ranks}
}
