package environment

import (
	"slices"
	"sync"
)

// Legend: A atoms of a batch, R_l classes of level l, C rows of a table.

// StateCache maps the environments of atoms to the rows of a table with C rows, which holds
// the states that an encoder computed for them in earlier batches. The states belong to one
// model, adapted to one task. The table itself is outside this package.
// Several threads may use a StateCache, each for one batch.
type StateCache struct {
	least int // classes of a level
	mutex sync.Mutex
	rows  map[Name]int32
	used  []uint32        // [C] the turn of the last batch that used a row
	ready []bool          // [C] the state was computed, and not only planned
	spare []int32         // rows that were freed
	fresh int32           // the first row that was never used
	turn  uint32          // of the last batch
	turns map[uint32]bool // of batches in progress
}

// NewStateCache returns an empty cache for a table with the given number of rows. A level of a plan
// has at least the given number of classes, with the last one repeated: products of fewer rows may
// round differently.
func NewStateCache(rows, least int) *StateCache {
	return &StateCache{least: least, rows: map[Name]int32{}, used: make([]uint32, rows), ready: make([]bool, rows), turns: map[uint32]bool{}}
}

// Rows returns C.
func (r *StateCache) Rows() int { return len(r.used) }

// Forget empties the cache. No batch may be in progress.
func (r *StateCache) Forget() {
	clear(r.rows)
	clear(r.ready)
	r.spare, r.fresh = r.spare[:0], 0
}

// CachePlan lists the states that have to be computed for a batch, and the rows of all its states.
type CachePlan struct {
	Levels []Level   // the classes of each level whose states have to be computed; Self and Col are rows of the table
	Rows   [][]int64 // [R_l] the rows in which they have to be stored, level by level
	Atoms  []int32   // [A] the row of each atom's state after the last level

	turn  uint32
	names []Name  // of the computed states that later batches can use
	kept  []int32 // the rows of these states
	own   []int32 // rows of this batch alone, freed by Done
}

// Plan returns the plan of a batch with Levels and Names. The caller ends it with Done. The
// plan is nil if the batch needs more than half of the table, or if batches in progress
// leave too few rows.
func (r *StateCache) Plan(b *Classes) *CachePlan {
	classes := 0
	for l := range b.Levels {
		classes += b.Levels[l].Len()
	}
	if classes > len(r.used)/2 {
		return nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.turn++
	r.turns[r.turn] = true
	rows, missing := r.find(b)
	if !r.makeRoom(missing) {
		delete(r.turns, r.turn)
		return nil
	}
	p := &CachePlan{turn: r.turn}
	r.place(b, rows, p)
	p.write(b, rows, r.least)
	return p
}

// Done ends a plan. made: its states were computed; otherwise they are removed from the cache.
func (r *StateCache) Done(p *CachePlan, made bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	delete(r.turns, p.turn)
	r.spare = append(r.spare, p.own...)
	for i, row := range p.kept {
		r.ready[row] = made
		if !made {
			delete(r.rows, p.names[i])
			r.spare = append(r.spare, row)
		}
	}
}

// What find returns for a class without a row.
const (
	unneeded = -1 - iota // no class of the next level reads it
	unmade               // its state has to be computed
)

// find returns the row of each class, or unneeded or unmade, from the last level down. missing is
// the number of classes that have to be computed: at least one in each level.
func (r *StateCache) find(b *Classes) (rows [][]int32, missing int) {
	last := len(b.Levels) - 1
	rows = make([][]int32, len(b.Levels))
	for l := range rows {
		rows[l] = slices.Repeat([]int32{unneeded}, b.Levels[l].Len())
	}
	for c := range rows[last] {
		rows[last][c] = unmade
	}
	for l := last; l >= 0; l-- {
		made, found := 0, -1
		for c, row := range rows[l] {
			if row == unneeded {
				continue
			}
			if row, ok := r.rows[b.Names[l][c]]; ok && r.ready[row] {
				r.used[row] = r.turn
				rows[l][c], found = row, c
				continue
			}
			b.Levels[l].require(c, rows, l)
			made++
		}
		if made == 0 {
			rows[l][found] = unmade
			b.Levels[l].require(found, rows, l)
			made++
		}
		missing += made
	}
	return rows, missing
}

func (l *Level) require(class int, rows [][]int32, n int) {
	if n == 0 {
		return
	}
	below := rows[n-1]
	below[l.Self[class]] = unmade
	for _, c := range l.Col[l.RowPtr[class]:l.RowPtr[class+1]] {
		below[c] = unmade
	}
}

// makeRoom evicts the least recently used states if fewer than rows are free. It evicts down to
// half of the table, so that it runs seldom, but keeps the states that batches in progress
// use. It returns false if there are still too few free rows.
func (r *StateCache) makeRoom(rows int) bool {
	if rows <= r.free() {
		return true
	}
	used := map[uint32]int{}
	for _, row := range r.rows {
		used[r.used[row]]++
	}
	oldest := r.turn
	for turn := range r.turns {
		oldest = min(oldest, turn)
	}
	turn, keep := r.turn, used[r.turn]
	for turn > oldest || turn > 0 && keep+used[turn-1] <= len(r.used)/2 {
		turn--
		keep += used[turn]
	}
	for name, row := range r.rows {
		if r.used[row] < turn {
			delete(r.rows, name)
			r.ready[row] = false
			r.spare = append(r.spare, row)
		}
	}
	return rows <= r.free()
}

func (r *StateCache) free() int { return len(r.spare) + len(r.used) - int(r.fresh) }

// place assigns rows to the classes that have to be computed, and encodes them as numbers below
// unmade. A class may already have a row: another batch is still computing it, or it is computed
// again so that a level is not empty. Such a class gets a second row until Done.
func (r *StateCache) place(b *Classes, rows [][]int32, p *CachePlan) {
	for l := range rows {
		for c, row := range rows[l] {
			if row != unmade {
				continue
			}
			name := b.Names[l][c]
			row = r.row()
			rows[l][c] = unmade - 1 - row
			if _, known := r.rows[name]; known {
				p.own = append(p.own, row)
				continue
			}
			r.rows[name], r.used[row] = row, r.turn
			p.names, p.kept = append(p.names, name), append(p.kept, row)
		}
	}
}

// row returns a free row.
func (r *StateCache) row() int32 {
	if n := len(r.spare); n > 0 {
		row := r.spare[n-1]
		r.spare = r.spare[:n-1]
		return row
	}
	r.fresh++
	return r.fresh - 1
}

// write fills Levels, Rows and Atoms from the rows that place assigned.
func (p *CachePlan) write(b *Classes, rows [][]int32, least int) {
	p.Levels, p.Rows = make([]Level, len(rows)), make([][]int64, len(rows))
	for l := range rows {
		to, from := &p.Levels[l], &b.Levels[l]
		if l > 0 {
			to.RowPtr = []int32{0}
		}
		last := -1
		for c, row := range rows[l] {
			if row < unmade {
				last = c
				rows[l][c] = unmade - 1 - row
				p.add(l, to, from, c, rows)
			}
		}
		for l > 0 && len(p.Rows[l]) < least {
			p.add(l, to, from, last, rows)
		}
	}
	p.Atoms = make([]int32, len(b.AtomRow))
	for v, c := range b.AtomRow {
		p.Atoms[v] = rows[len(rows)-1][c]
	}
}

// add appends a class of level l whose state has to be computed.
func (p *CachePlan) add(l int, to, from *Level, class int, rows [][]int32) {
	p.Rows[l] = append(p.Rows[l], int64(rows[l][class]))
	if l == 0 {
		to.Atoms = append(to.Atoms, from.Atoms[2*class:2*class+2]...)
		return
	}
	to.Self = append(to.Self, rows[l-1][from.Self[class]])
	for k := from.RowPtr[class]; k < from.RowPtr[class+1]; k++ {
		to.Col = append(to.Col, rows[l-1][from.Col[k]])
		to.Bond = append(to.Bond, from.Bond[2*k:2*k+2]...)
	}
	to.RowPtr = append(to.RowPtr, int32(len(to.Col)))
}
