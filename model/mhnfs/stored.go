package mhnfs

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"pacia/ops"
)

// stored caches the content of the Hopfield network for the tasks of one evaluation. The context
// is encoded again if a number of the model has changed. On a GPU nothing is stored: encoding is
// fast there, and sharing would have to wait for the streams of other threads.
type stored struct {
	sync.Mutex
	last *shared
	of   uint64 // hash of all numbers of the model
}

// shared holds keys that are dropped with their last user. The model is one of the users.
type shared struct {
	*hopfieldKeys
	users int
}

// release ends a use. The caller must hold the lock.
func (k *shared) release() {
	if k.users--; k.users == 0 {
		k.drop()
	}
}

// lasting returns the keys of the context for a task with the scope s. It returns nil if keys
// would.
func (m *mhnfs) lasting(s *ops.Scope) *hopfieldKeys {
	if m.stages.context == nil || len(m.context.kept) == 0 || m.Set.Device != ops.CPU {
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
	return mine.hopfieldKeys
}

// encoded returns new keys, which the caller must drop.
func (m *mhnfs) encoded(s *ops.Scope) (keys *hopfieldKeys) {
	s.Check(ops.InScope(func(own *ops.Scope) {
		keys = ops.Try(m.stages.context.keys(m.vectors(ops.Mode{}, own))).In(own)
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

// numbers returns a hash of all parameters and buffers of the model.
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
