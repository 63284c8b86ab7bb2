package model

import (
	"log/slog"
	"sync"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/ops"
)

// Legend: C rows of a table, L layers of the encoder, A atoms, d width.

// cacheBytes is how much memory a table takes once it is full. Of the states of MUV's
// molecules, in batches of 512, one of 160 MB leaves 55 % to be made, one of 320 MB 42 %
// and one of 640 MB 30 %.
const cacheBytes = 512 << 20

// knownBytes is the size of the data kept of a row, beside its state.
const knownBytes = 64

// tableRows is how many rows a table has, or 0 where there is to be none; a variable for
// tests.
var tableRows = func(stateBytes int) int { return cacheBytes / (stateBytes + knownBytes) }

// stateCache is the states of surroundings that the encoder of an adapted model has
// made, for the batches to come. Only one encoder's are in a table: see
// Traits.CachesStates.
type stateCache struct {
	known *data.StateCache
	table *ts.Tensor // [C, d]
}

// cachedBatch is a batch with some states in the table.
type cachedBatch struct {
	*stateCache
	*data.CachePlan
	rows []*ts.Tensor // [L+1] of the table, that the states of each level go to
	all  *ts.Tensor   // [A] of the table, where the state of each atom is after the last layer
	over bool         // the table is not needed any more
}

// done reports whether the states were made, unless that was said before.
func (r *cachedBatch) done(made bool) {
	if !r.over {
		r.known.Done(r.CachePlan, made)
		r.over = true
	}
}

// soleCache is the one table of a model, which an adapted model has until it is
// dropped. Where several are adapted at a time the others do without.
type soleCache struct {
	mutex sync.Mutex
	table *stateCache
	taken bool
}

// take returns the table, empty, or nil: without one the same is calculated, in more time.
func (r *soleCache) take(width int, double bool) *stateCache {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.taken {
		return nil
	}
	if r.table == nil {
		size := 4
		if double {
			size = 8
		}
		rows := tableRows(size * width)
		if rows == 0 || !double && !ops.RowsAlone(width) {
			return nil
		}
		table, err := ops.NewTable(rows, width, double)
		if err != nil {
			slog.Debug("no memory for a table of states", "error", err)
			return nil
		}
		r.table = &stateCache{data.NewStateCache(rows), table}
	}
	r.taken = true
	r.table.known.Forget()
	return r.table
}

func (r *soleCache) give() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.taken = false
}

func (r *soleCache) drop() {
	if r.table != nil {
		ops.Drop(r.table.table)
		r.table = nil
	}
}

// keeps reports whether states of a batch may be kept in a table.
func (m *Model) keeps(h *data.Batch) bool {
	n, grouped := m.body.levels(h)
	return m.spec.Traits.CachesStates && !m.body.Mixes && h.Support == 0 && n == m.config.Layers && !grouped
}

// statesFor returns the table with what a has put into it, or nil where queries are to do
// without.
func (a *Adapted) statesFor(queries *data.Batch) *stateCache {
	m := a.model
	if !m.keeps(queries) {
		return nil
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.table == nil {
		a.table = m.cache.take(m.config.Width, m.set.Float64)
	}
	return a.table
}

// plan returns the states of a batch that are to be made, or nil where it is too large
// for the table.
func (r *stateCache) plan(h *data.Batch, s *ops.Scope) *cachedBatch {
	if r == nil {
		return nil
	}
	p := r.known.Plan(h)
	if p == nil {
		return nil
	}
	out := &cachedBatch{stateCache: r, CachePlan: p}
	s.Own(func() { out.done(false) })
	for _, rows := range p.Rows {
		out.rows = append(out.rows, some(rows, ops.CPU, s))
	}
	out.all = some(p.Atoms, ops.CPU, s)
	return out
}

// put writes the states h of a level, as far as they were made, to the table, and
// returns what the next layer reads: the table. Without one that is h.
func (r *cachedBatch) put(level int, h *ts.Tensor, s *ops.Scope) *ts.Tensor {
	if r == nil {
		return h
	}
	s.Check(ops.SetRows(r.table, r.rows[level], h))
	return r.table
}

// last returns h^L of all atoms.
func (r *cachedBatch) last(s *ops.Scope) *ts.Tensor {
	h := s.Keep(ops.Rows(r.table, r.all))
	r.done(true)
	return h
}
