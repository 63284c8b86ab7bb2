package data

import (
	"slices"
	"sync"
)

// Legend: A atoms of a batch, R_l classes of level l, C rows of a table.

// StateCache knows of surroundings that came before in which row of a table of C rows
// the state is that an encoder made of them. States are those of one model that is
// adapted to one task; what reads and writes the table is not in this package.
// Several threads may use it, for a batch each.
type StateCache struct {
	mutex sync.Mutex
	rows  map[Name]int32
	used  []uint32        // [C] the last batch that used a row, by its turn
	ready []bool          // [C] the state is there, and not just promised
	spare []int32         // rows that were given back
	fresh int32           // the first row that was never used
	turn  uint32          // of the last batch
	turns map[uint32]bool // of those under way
}

// NewStateCache returns one for a table of so many rows.
func NewStateCache(rows int) *StateCache {
	return &StateCache{rows: map[Name]int32{}, used: make([]uint32, rows), ready: make([]bool, rows), turns: map[uint32]bool{}}
}

// Rows is C.
func (r *StateCache) Rows() int { return len(r.used) }

// Forget empties the table, which no batch may use meanwhile.
func (r *StateCache) Forget() {
	clear(r.rows)
	clear(r.ready)
	r.spare, r.fresh = r.spare[:0], 0
}

// CachePlan is a batch with states in the table.
type CachePlan struct {
	Levels []Level   // the classes of each level whose states are to be made; Self and Col are rows of the table
	Rows   [][]int64 // [R_l] the rows that they are to be kept in, level by level
	Atoms  []int32   // [A] the row of each atom's state after the last level

	turn  uint32
	names []Name  // also of what is made for later batches
	kept  []int32 // the rows of these
	own   []int32 // rows for what another batch is making just now
}

// leastRows is how many classes a level has that are to be made: fewer rows than
// this (kFew of ops/product) are multiplied in another way, which rounds otherwise. The last one is repeated.
const leastRows = 16

// Plan returns what is to be made of a batch with Levels and Names. Done ends it. It
// returns nil of a batch that would take more than half of the table, and where
// batches under way leave no room.
func (r *StateCache) Plan(b *Batch) *CachePlan {
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
	p.write(b, rows)
	return p
}

// Done says that the states of a plan were made, or that they were not.
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

// What find says of a class in place of a row: it is not needed, or it is to be made.
const (
	unneeded = -1 - iota
	unmade
)

// find returns the row of each class that is needed, from the last level down, or
// that it is to be made, and how many are: at least one of each level.
func (r *StateCache) find(b *Batch) (rows [][]int32, missing int) {
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

// makeRoom forgets what was not used for longest where so many rows are not to be
// had, down to half of the table, so that it happens seldom. What batches under way
// use stays. It returns false where that is too much.
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

// place gives the classes that are to be made their rows, and says so: below unmade.
// A class that has a row, but which another batch is still making, or which is made again
// to fill a level, gets another one until Done.
func (r *StateCache) place(b *Batch, rows [][]int32, p *CachePlan) {
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

// row is one that nothing is in.
func (r *StateCache) row() int32 {
	if n := len(r.spare); n > 0 {
		row := r.spare[n-1]
		r.spare = r.spare[:n-1]
		return row
	}
	r.fresh++
	return r.fresh - 1
}

// write writes down what place decided.
func (p *CachePlan) write(b *Batch, rows [][]int32) {
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
		for l > 0 && len(p.Rows[l]) < leastRows {
			p.add(l, to, from, last, rows)
		}
	}
	p.Atoms = make([]int32, len(b.AtomRow))
	for v, c := range b.AtomRow {
		p.Atoms[v] = rows[len(rows)-1][c]
	}
}

// add appends a class of level l that is to be made.
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
