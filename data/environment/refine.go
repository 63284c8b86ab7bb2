package environment

import (
	"math"
	"math/bits"
	"slices"

	"pacia/data/molecule"
)

// refiner is the working memory of Refine.
type refiner struct {
	row  []int32  // [A] class of each atom at the previous level
	next []int32  // [A] class of each atom at the current level
	self []int32  // class at the previous level, or categories, of each class
	ptr  []int32  // keys of class c: ptr[c]..ptr[c+1]
	keys []uint64 // a bond's categories and its neighbour's class at the previous level
	hash []uint32 // of each class
	slot []int32  // hash table: a class + 1, or 0
}

func (r *refiner) start(e *Classes, atoms, n int) {
	e.Levels = slices.Grow(e.Levels[:0], n+1)[:n+1]
	for l := range e.Levels {
		e.Levels[l].Row, e.Levels[l].Like = e.Levels[l].Row[:0], e.Levels[l].Like[:0]
	}
	e.Names = e.Names[:0]
	atoms = max(0, atoms)
	r.row = slices.Grow(r.row[:0], atoms)[:atoms]
	r.next = slices.Grow(r.next[:0], atoms)[:atoms]
	// Half of the table stays free.
	slots := 2 << bits.Len(uint(atoms))
	r.slot = slices.Grow(r.slot[:0], slots)[:slots]
}

func (r *refiner) categories(in *molecule.Inputs, l *Level) {
	r.begin()
	for v := range r.row {
		r.row[v] = r.class(int32(in.Atoms[2*v])<<8 | int32(in.Atoms[2*v+1]))
	}
	l.Atoms, l.Self = l.Atoms[:0], nil
	for _, s := range r.self {
		l.Atoms = append(l.Atoms, uint8(s>>8), uint8(s))
	}
}

// features finds the class of each atom by its features, which are compared bit by bit.
func (r *refiner) features(in *molecule.Inputs) {
	r.begin()
	features := in.Floats(molecule.Features)
	k := len(features) / max(1, len(r.row))
	for v := range r.row {
		for i, x := range features[v*k : (v+1)*k] {
			if x != 0 {
				r.insert(uint64(i)<<32 | uint64(math.Float32bits(x)))
			}
		}
		r.row[v] = r.class(0)
	}
}

// environments makes a level from the previous one.
func (r *refiner) environments(in *molecule.Inputs, l *Level) {
	r.classify(in)
	l.Self = append(l.Self[:0], r.self...)
	l.RowPtr = append(l.RowPtr[:0], r.ptr...)
	l.Col, l.Bond = l.Col[:0], l.Bond[:0]
	for _, key := range r.keys {
		l.Col = append(l.Col, int32(uint32(key)))
		l.Bond = append(l.Bond, uint8(key>>40), uint8(key>>32))
	}
}

// classify finds the class of each atom at the next level.
func (r *refiner) classify(in *molecule.Inputs) {
	r.begin()
	for v, self := range r.row {
		for k := in.RowPtr[v]; k < in.RowPtr[v+1]; k++ {
			r.insert(uint64(in.Bond[2*k])<<40 | uint64(in.Bond[2*k+1])<<32 | uint64(r.row[in.Col[k]]))
		}
		r.next[v] = r.class(self)
	}
	r.row, r.next = r.next, r.row
}

// divide splits each class into one class for each group with atoms in it.
func (r *refiner) divide(groups []int32) {
	r.begin()
	for g := range len(groups) - 1 {
		for v := groups[g]; v < groups[g+1]; v++ {
			r.insert(uint64(g))
			r.next[v] = r.class(r.row[v])
		}
	}
	r.row, r.next = r.next, r.row
}

// represent makes a level whose classes are represented by their first atoms.
func (r *refiner) represent(in *molecule.Inputs, l *Level) {
	l.Self, l.RowPtr = r.first(l.Self[:0]), append(l.RowPtr[:0], 0)
	l.Col, l.Bond = l.Col[:0], l.Bond[:0]
	for _, v := range l.Self {
		from, to := in.RowPtr[v], in.RowPtr[v+1]
		l.Col, l.Bond = append(l.Col, in.Col[from:to]...), append(l.Bond, in.Bond[2*from:2*to]...)
		l.RowPtr = append(l.RowPtr, int32(len(l.Col)))
	}
	l.Row = append(l.Row, r.row...)
	l.Like = r.alike(l.Like)
}

// alike appends to an empty list the first atom of the class of each atom.
func (r *refiner) alike(like []int32) []int32 {
	first := r.first(r.next[:0]) // not in use between two levels
	for _, c := range r.row {
		like = append(like, first[c])
	}
	return like
}

// first appends to an empty list the first atom of each class, in ascending order.
func (r *refiner) first(atoms []int32) []int32 {
	for v, c := range r.row {
		if int(c) == len(atoms) {
			atoms = append(atoms, int32(v))
		}
	}
	return atoms
}

// begin empties the table of classes.
func (r *refiner) begin() {
	clear(r.slot)
	r.self, r.keys, r.hash = r.self[:0], r.keys[:0], r.hash[:0]
	r.ptr = append(r.ptr[:0], 0)
}

// insert adds a key to the pending ones, which follow the keys of the last class, in ascending order.
func (r *refiner) insert(key uint64) {
	first := int(r.ptr[len(r.ptr)-1])
	r.keys = append(r.keys, key)
	k := len(r.keys) - 1
	for ; k > first && r.keys[k-1] > key; k-- {
		r.keys[k] = r.keys[k-1]
	}
	r.keys[k] = key
}

// class returns the class that is defined by self and the pending keys. If the class is
// known, the keys are removed; otherwise it is added with these keys.
func (r *refiner) class(self int32) int32 {
	first := r.ptr[len(r.ptr)-1]
	keys := r.keys[first:]
	h := hashOf(self, keys)
	mask := len(r.slot) - 1
	at := int(h) & mask
	for ; r.slot[at] != 0; at = (at + 1) & mask {
		c := r.slot[at] - 1
		if r.hash[c] == h && r.self[c] == self && slices.Equal(r.keys[r.ptr[c]:r.ptr[c+1]], keys) {
			r.keys = r.keys[:first]
			return c
		}
	}
	r.self, r.hash = append(r.self, self), append(r.hash, h)
	r.ptr = append(r.ptr, int32(len(r.keys)))
	r.slot[at] = int32(len(r.self))
	return r.slot[at] - 1
}

// hashOf mixes by multiplication (Knuth's 2⁶⁴ over the golden ratio). Since equal hashes
// are followed by a comparison, collisions cost only time.
func hashOf(self int32, keys []uint64) uint32 {
	const golden = 0x9E3779B97F4A7C15
	h := uint64(self+1) * golden
	for _, k := range keys {
		h = (bits.RotateLeft64(h, 23) ^ k) * golden
	}
	return uint32(h >> 32)
}
