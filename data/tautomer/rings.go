package tautomer

import "slices"

// ring is a ring of five to seven atoms.
type ring struct {
	atoms, bonds []int32
	electrons    int // −1: it has an atom that cannot be in an aromatic ring
	aromatic     bool
}

// largest is the largest ring that can be aromatic here.
const largest = 7

// findRings returns the rings of five to seven atoms without chords, and of each bond [E] whether it is in any ring.
func (m *molecule) findRings() (rings []ring, inRing []bool) {
	inRing = m.ringBonds()
	var path, bonds []int32
	var walk func(from, a int32)
	walk = func(from, a int32) {
		for _, k := range m.atoms[a].bonds {
			if !inRing[k] || len(bonds) > 0 && bonds[len(bonds)-1] == k {
				continue
			}
			b := m.bonds[k].a + m.bonds[k].b - a
			if b == from && len(path) >= 5 {
				if path[1] < path[len(path)-1] && !m.chord(path) {
					rings = append(rings, ring{atoms: slices.Clone(path), bonds: append(slices.Clone(bonds), k)})
				}
				continue
			}
			if b <= from || len(path) == largest || slices.Contains(path, b) {
				continue
			}
			path, bonds = append(path, b), append(bonds, k)
			walk(from, b)
			path, bonds = path[:len(path)-1], bonds[:len(bonds)-1]
		}
	}
	for i := range m.atoms {
		path, bonds = append(path[:0], int32(i)), bonds[:0]
		walk(int32(i), int32(i))
	}
	return rings, inRing
}

// chord reports whether two atoms of a ring are bonded that are not neighbours in it.
func (m *molecule) chord(path []int32) bool {
	within := 0
	for _, a := range path {
		for _, k := range m.atoms[a].bonds {
			if slices.Contains(path, m.bonds[k].a+m.bonds[k].b-a) {
				within++
			}
		}
	}
	return within != 2*len(path)
}

// electrons returns how many electrons atom i gives to an aromatic ring; −1 if it cannot be in one.
func (m *molecule) electrons(i int32, inRing []bool) int {
	a := &m.atoms[i]
	switch a.pi {
	case 0:
		switch {
		case a.number == nitrogen && a.charge <= 0 || a.number == phosphorus && a.charge <= 0,
			(a.number == oxygen || a.number == sulfur || a.number == selenium || a.number == tellurium) && a.charge == 0,
			a.number == carbon && a.charge < 0:
			return 2
		case a.number == carbon && a.charge > 0, a.number == 5:
			return 0
		}
	case 1:
		for _, k := range a.bonds {
			if m.bonds[k].order != 2 {
				continue
			}
			switch other := m.other(a, k).number; {
			case inRing[k]:
				return 1
			case a.number == carbon && other != carbon && other != phosphorus:
				return 0
			}
		}
	}
	return -1
}

// aromatize finds the aromatic bonds [E] and marks the rings that have no other bonds. A ring with 4n+2 electrons is
// aromatic; so are the outer bonds of two rings that share a bond and have 4n+2 electrons together.
func (m *molecule) aromatize(rings []ring, inRing []bool) (bonds []bool) {
	gives := make([]int, len(m.atoms))
	for i := range gives {
		gives[i] = m.electrons(int32(i), inRing)
	}
	bonds = make([]bool, len(m.bonds))
	for i := range rings {
		r := &rings[i]
		r.electrons, r.aromatic = 0, true
		for _, a := range r.atoms {
			if gives[a] < 0 {
				r.electrons = -1
				break
			}
			r.electrons += gives[a]
		}
		if r.electrons%4 == 2 && r.electrons >= 6 {
			for _, k := range r.bonds {
				bonds[k] = true
			}
		}
	}
	for i := range rings {
		for j := range rings[:i] {
			r, o := &rings[i], &rings[j]
			if r.electrons < 0 || o.electrons < 0 {
				continue
			}
			if k := r.shared(o); k >= 0 && (r.electrons+o.electrons-gives[m.bonds[k].a]-gives[m.bonds[k].b])%4 == 2 {
				for _, l := range slices.Concat(r.bonds, o.bonds) {
					bonds[l] = bonds[l] || l != k
				}
			}
		}
	}
	for i := range rings {
		for _, k := range rings[i].bonds {
			rings[i].aromatic = rings[i].aromatic && bonds[k]
		}
	}
	return bonds
}

// shared returns the one bond that two rings share; −1 if they share none or several.
func (r *ring) shared(o *ring) int32 {
	found := int32(-1)
	for _, k := range r.bonds {
		if slices.Contains(o.bonds, k) {
			if found >= 0 {
				return -1
			}
			found = k
		}
	}
	return found
}
