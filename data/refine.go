package data

import (
	"math"
	"math/bits"
	"slices"
)

// Legend: A atoms of the batch; R_l classes of level l, E_l their bonds.

// Level is the distinct environments of a batch's atoms up to l bonds away, by the
// colour refinement of Weisfeiler and Leman. Two atoms are in one class of level 0 if
// their categories are equal. They are in one class of level l > 0 if they are in
// one class of level l-1 and have equal bonds: the categories and the neighbours'
// classes of level l-1 are the same. The state of an atom after l layers of a message
// passing network is a function of its class.
type Level struct {
	Atoms  []uint8 // [R_0, 2] as in Graph; level 0 only
	Self   []int32 // [R_l] the class at level l-1; this and the next three fields above level 0 only
	RowPtr []int32 // [R_l+1] bonds of class r: RowPtr[r]..RowPtr[r+1]
	Col    []int32 // [E_l] class of the neighbour at level l-1
	Bond   []uint8 // [E_l, 2] as in Graph

	// Set by RefineGroups above level 0, and empty after Refine. After RefineGroups, Self and Col
	// above level 1 are atoms: the first atom of the class, and the neighbours of that atom.
	// RefineFeatures sets only Row and Self, which are atoms at all levels.
	Row  []int32 // [A] class of each atom
	Like []int32 // [A] first atom of its class in its group
}

// Len returns the number of classes.
func (l *Level) Len() int {
	if l.Self == nil {
		return len(l.Atoms) / 2
	}
	return len(l.Self)
}

// Refine fills Levels with the levels 0 to n, n ≥ 1, and AtomRow with the class
// of each atom at the last level. Classes are numbered in the order of their first
// atoms in the batch. The bonds of a class are sorted by their categories, then by the
// neighbours' classes.
func (b *Batch) Refine(n int) {
	r := &b.refiner
	r.start(b, n)
	r.categories(b)
	for l := 1; l <= n; l++ {
		r.environments(b, &b.Levels[l])
	}
	b.AtomRow = append(b.AtomRow[:0], r.row...)
}

// RefineGroups is like Refine, for states that differ between groups after the
// first layer because of batch norm and dropout in training. Classes of level 1 are over
// all atoms, and classes of higher levels are over the atoms of one group.
func (b *Batch) RefineGroups(n int) {
	r := &b.refiner
	r.start(b, n)
	r.categories(b)
	r.environments(b, &b.Levels[1])
	first := &b.Levels[1]
	first.Row = append(first.Row, r.row...)
	r.divide(b.GroupPtr)
	first.Like = r.alike(first.Like)
	for l := 2; l <= n; l++ {
		r.classify(b)
		r.represent(b, &b.Levels[l])
	}
	b.AtomRow = append(b.AtomRow[:0], b.Levels[n].Row...)
}

// RefineFeatures is like RefineGroups, for atoms with features in place of categories.
// Classes of all levels are over the atoms of one group, and only Self and Row are set.
func (b *Batch) RefineFeatures(n int) {
	r := &b.refiner
	r.start(b, n)
	r.features(b)
	r.divide(b.GroupPtr)
	for l := range b.Levels {
		if l > 0 {
			r.classify(b)
		}
		b.Levels[l] = Level{Self: r.first(b.Levels[l].Self[:0]), Row: append(b.Levels[l].Row, r.row...)}
	}
	b.AtomRow = append(b.AtomRow[:0], r.row...)
}

// Grouped reports whether Levels are from RefineGroups or RefineFeatures.
func (b *Batch) Grouped() bool { return len(b.Levels) > 1 && len(b.Levels[1].Row) > 0 }

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

func (r *refiner) start(b *Batch, n int) {
	b.Levels = slices.Grow(b.Levels[:0], n+1)[:n+1]
	for l := range b.Levels {
		b.Levels[l].Row, b.Levels[l].Like = b.Levels[l].Row[:0], b.Levels[l].Like[:0]
	}
	b.Names = b.Names[:0]
	atoms := max(0, len(b.RowPtr)-1)
	r.row = slices.Grow(r.row[:0], atoms)[:atoms]
	r.next = slices.Grow(r.next[:0], atoms)[:atoms]
	// Half of the table stays free.
	slots := 2 << bits.Len(uint(atoms))
	r.slot = slices.Grow(r.slot[:0], slots)[:slots]
}

func (r *refiner) categories(b *Batch) {
	r.begin()
	for v := range r.row {
		r.row[v] = r.class(int32(b.Atoms[2*v])<<8 | int32(b.Atoms[2*v+1]))
	}
	l := &b.Levels[0]
	l.Atoms, l.Self = l.Atoms[:0], nil
	for _, s := range r.self {
		l.Atoms = append(l.Atoms, uint8(s>>8), uint8(s))
	}
}

// features finds the class of each atom by its features, which are compared bit by bit.
func (r *refiner) features(b *Batch) {
	r.begin()
	k := len(b.Features) / max(1, len(r.row))
	for v := range r.row {
		for i, x := range b.Features[v*k : (v+1)*k] {
			if x != 0 {
				r.insert(uint64(i)<<32 | uint64(math.Float32bits(x)))
			}
		}
		r.row[v] = r.class(0)
	}
}

// environments makes a level from the previous one.
func (r *refiner) environments(b *Batch, l *Level) {
	r.classify(b)
	l.Self = append(l.Self[:0], r.self...)
	l.RowPtr = append(l.RowPtr[:0], r.ptr...)
	l.Col, l.Bond = l.Col[:0], l.Bond[:0]
	for _, key := range r.keys {
		l.Col = append(l.Col, int32(uint32(key)))
		l.Bond = append(l.Bond, uint8(key>>40), uint8(key>>32))
	}
}

// classify finds the class of each atom at the next level.
func (r *refiner) classify(b *Batch) {
	r.begin()
	for v, self := range r.row {
		for k := b.RowPtr[v]; k < b.RowPtr[v+1]; k++ {
			r.insert(uint64(b.Bond[2*k])<<40 | uint64(b.Bond[2*k+1])<<32 | uint64(r.row[b.Col[k]]))
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
func (r *refiner) represent(b *Batch, l *Level) {
	l.Self, l.RowPtr = r.first(l.Self[:0]), append(l.RowPtr[:0], 0)
	l.Col, l.Bond = l.Col[:0], l.Bond[:0]
	for _, v := range l.Self {
		from, to := b.RowPtr[v], b.RowPtr[v+1]
		l.Col, l.Bond = append(l.Col, b.Col[from:to]...), append(l.Bond, b.Bond[2*from:2*to]...)
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
