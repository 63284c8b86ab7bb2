package model

import (
	"log/slog"
	"sync"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/environment"
	"pacia/ops"
)

// Legend: C rows of a table, L layers of the encoder, A atoms, d width.

// cacheBytes is the memory of a full table. For MUV's molecules in batches of 512, 55 % of
// the states have to be computed with a table of 160 MB, 42 % with 320 MB and 30 % with
// 640 MB.
const cacheBytes = 512 << 20

// knownBytes is the size of the data of a row other than its state.
const knownBytes = 64

// tableRows returns the number of rows of a table, or 0 for no table. It is a variable for
// tests.
var tableRows = func(stateBytes int) int { return cacheBytes / (stateBytes + knownBytes) }

// stateCache caches states of atom environments that the encoder of an adapted model has
// computed, for later batches. A table has the states of a single encoder; see
// Traits.CachesStates.
type stateCache struct {
	known *environment.StateCache
	table *ts.Tensor // [C, d]
}

// cachedBatch is a batch with some states in the table.
type cachedBatch struct {
	*stateCache
	*environment.CachePlan
	rows []*ts.Tensor // [L+1] rows of the table for the states of each level
	all  *ts.Tensor   // [A] row of the table with the state of each atom after the last layer
	over bool         // done was called
}

// done tells the table whether the states were computed. Only the first call has an effect.
func (r *cachedBatch) done(made bool) {
	if !r.over {
		r.known.Done(r.CachePlan, made)
		r.over = true
	}
}

// soleCache is the single table of a model. An adapted model owns it until it is dropped.
// Other models adapted at the same time have no table.
type soleCache struct {
	mutex   sync.Mutex
	table   *stateCache
	claimed bool
}

// claim returns the table, empty, or nil. Without a table, results are the same but take longer.
func (r *soleCache) claim(width int, double bool) *stateCache {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.claimed {
		return nil
	}
	if r.table == nil {
		size := 4
		if double {
			size = 8
		}
		rows := tableRows(size * width)
		least, alone := ops.RowsAlone()
		if rows == 0 || !double && !alone {
			return nil
		}
		table, err := ops.NewTable(rows, width, double)
		if err != nil {
			slog.Debug("no memory for a table of states", "error", err)
			return nil
		}
		r.table = &stateCache{environment.NewStateCache(rows, least), table}
	}
	r.claimed = true
	r.table.known.Forget()
	return r.table
}

func (r *soleCache) give() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.claimed = false
}

func (r *soleCache) drop() {
	if r.table != nil {
		ops.Drop(r.table.table)
		r.table = nil
	}
}

// keeps reports whether states of a batch may be cached in a table.
func (m *Model) keeps(h *data.Batch) bool {
	return m.spec.Traits.CachesStates && m.body.sharing(h) == sharesAll
}

// statesFor returns the table of a, or nil if queries are to be scored without one.
func (a *Adapted) statesFor(queries *data.Batch) *stateCache {
	m := a.model
	if !m.keeps(queries) {
		return nil
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.table == nil {
		a.table = m.cache.claim(m.config.Width, m.set.Float64)
	}
	return a.table
}

// plan returns the batch with the states that have to be computed, or nil if it is too large
// for the table.
func (r *stateCache) plan(h *data.Batch, s *ops.Scope) *cachedBatch {
	if r == nil {
		return nil
	}
	p := r.known.Plan(&h.Classes)
	if p == nil {
		return nil
	}
	out := &cachedBatch{stateCache: r, CachePlan: p}
	s.Own(func() { out.done(false) })
	for _, rows := range p.Rows {
		out.rows = append(out.rows, vectorOrNil(rows, ops.CPU, s))
	}
	out.all = vectorOrNil(p.Atoms, ops.CPU, s)
	return out
}

// put writes the computed states h of a level to the table and returns the input of the
// next layer: the table, or h without a table.
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
