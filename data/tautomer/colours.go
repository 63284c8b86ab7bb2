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
			around := uint64(0)
			for _, k := range m.atoms[i].bonds {
				around += mix(0, now[m.bonds[k].a+m.bonds[k].b-int32(i)])
			}
			next[i] = mix(now[i], around)
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

// skeleton returns the first colours of atoms that no drawing changes: hydrogens count where they are at carbon.
func (m *molecule) skeleton(i int) uint64 {
	a := &m.atoms[i]
	h := mix(uint64(a.number), uint64(len(a.bonds)))
	if a.number == carbon {
		h = mix(h, uint64(a.hydrogens))
	}
	return h
}

// Skeleton returns a hash of a molecule's heavy atoms and of which of them are bonded, the same for all its drawings
// and for tautomers in which a hydrogen of carbon has moved; 0 if the SMILES is not read.
func Skeleton(smiles string) uint64 {
	m, ok := parse(head(smiles))
	if !ok {
		return 0
	}
	return m.bare()
}

// SkeletonOf returns [Skeleton] of a molecule with the elements of these numbers, and bonds between the atoms ends
// [E, 2].
func SkeletonOf(numbers []uint8, ends []int32) uint64 {
	m := molecule{atoms: make([]atom, len(numbers)), bonds: make([]bond, 0, len(ends)/2)}
	for i, n := range numbers {
		m.atoms[i].number = n
	}
	r := reader{molecule: &m}
	for ; len(ends) > 1; ends = ends[2:] {
		r.join(ends[0], ends[1], 1, 0, false)
	}
	return m.bare()
}

// bareRounds is the number of rounds of colours in a skeleton's hash.
const bareRounds = 4

func (m *molecule) bare() (h uint64) {
	now, next := make([]uint64, len(m.atoms)), make([]uint64, len(m.atoms))
	for i := range m.atoms {
		now[i] = mix(uint64(m.atoms[i].number), uint64(len(m.atoms[i].bonds)))
	}
	for range bareRounds {
		for i := range m.atoms {
			around := uint64(0)
			for _, k := range m.atoms[i].bonds {
				around += mix(0, now[m.bonds[k].a+m.bonds[k].b-int32(i)])
			}
			next[i] = mix(now[i], around)
		}
		now, next = next, now
	}
	for _, c := range now {
		h += mix(0, c)
	}
	return max(h, 1)
}
