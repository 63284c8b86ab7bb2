package mhnfs

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"pacia/ops"
)

// stored is the last content of the Hopfield network, for the tasks of one evaluation: the
// context is encoded again where a number of the model has changed. On a GPU, where
// encoding is fast, nothing is stored, since it would have to wait for other threads'
// streams.
type stored struct {
	sync.Mutex
	last *shared
	of   uint64 // all numbers of the model, mixed
}

// shared is dropped with its last user. The model is one of them.
type shared struct {
	*ops.HopfieldKeys
	users int
}

// release ends a use; the lock is held.
func (k *shared) release() {
	if k.users--; k.users == 0 {
		k.Drop()
	}
}

// lasting are the keys of the context for a task, which lives as long as its scope; nil as
// keys has it.
func (m *mhnfs) lasting(s *ops.Scope) *ops.HopfieldKeys {
	if m.stages.Context == nil || len(m.context.kept) == 0 || m.Set.Device != ops.CPU {
		return m.keys(ops.Mode{}, s)
	}
	c := &m.stored
	c.Lock()
	defer c.Unlock()
	now := ops.Try(m.numbers()).In(s)
	if c.last == nil || c.of != now {
		keys := m.encoded(s)
		if c.last != nil {
			c.last.release()
		}
		c.last, c.of = &shared{keys, 1}, now
	}
	mine := c.last
	mine.users++
	s.Own(func() {
		c.Lock()
		defer c.Unlock()
		mine.release()
	})
	return mine.HopfieldKeys
}

// encoded are new keys, which the caller drops.
func (m *mhnfs) encoded(s *ops.Scope) (keys *ops.HopfieldKeys) {
	s.Check(ops.InScope(func(own *ops.Scope) {
		keys = ops.Try(m.stages.Context.Keys(m.vectors(ops.Mode{}, own))).In(own)
	}))
	return keys
}

func (c *stored) forget() {
	c.Lock()
	defer c.Unlock()
	if c.last != nil {
		c.last.release()
		c.last = nil
	}
}

// numbers mixes all that the model holds: another number gives another one.
func (m *mhnfs) numbers() (h uint64, err error) {
	for _, p := range slices.Concat(m.Set.Trained(), m.Set.Buffers()) {
		values, err := ops.Read(p.Tensor)
		if err != nil {
			return 0, fmt.Errorf("context: %s: %w", p.Name, err)
		}
		for _, v := range values {
			h = ops.MixBits(h ^ uint64(math.Float32bits(v)))
		}
	}
	return h, nil
}
