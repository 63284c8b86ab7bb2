package tautomer

import "slices"

// mix returns a hash of a hash and a number, by the finaliser of splitmix64.
func mix(h, v uint64) uint64 {
	h ^= v + 0x9E3779B97F4A7C15 + h<<6 + h>>2
	h = (h ^ h>>30) * 0xBF58476D1CE4E5B9
	h = (h ^ h>>27) * 0x94D049BB133111EB
	return h ^ h>>31
}

// colours returns a number for each atom [A] that depends on its surroundings and not on the order of atoms. start
// gives the first colour of an atom.
func (m *molecule) colours(start func(i int) uint64) []uint64 {
	now, next := make([]uint64, len(m.atoms)), make([]uint64, len(m.atoms))
	for i := range now {
		now[i] = start(i)
	}
	classes := 0
	for range m.atoms {
		for i := range m.atoms {
			next[i] = m.around(i, now)
		}
		now, next = next, now
		copy(next, now)
		slices.Sort(next)
		distinct := len(slices.Compact(next))
		next = next[:len(now)]
		if distinct == classes {
			break
		}
		classes = distinct
	}
	return now
}

// around returns the next colour of an atom, from its own and those of its neighbours.
func (m *molecule) around(i int, now []uint64) uint64 {
	sum := uint64(0)
	for _, k := range m.atoms[i].bonds {
		sum += mix(0, now[m.bonds[k].a+m.bonds[k].b-int32(i)])
	}
	return mix(now[i], sum)
}

// skeleton returns the first colours of atoms that no drawing changes: hydrogens count where they are at carbon.
func (m *molecule) skeleton(i int) uint64 {
	a := &m.atoms[i]
	h := mix(uint64(a.number), uint64(len(a.bonds)))
	if a.number == carbon {
		h = mix(h, uint64(a.hydrogens))
	}
	return h
}
