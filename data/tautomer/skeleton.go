package tautomer

// Skeleton returns a hash of a molecule's heavy atoms and of the bonds between them, without their orders. It is the same
// for all drawings of the molecule, and for tautomers in which a hydrogen of carbon has moved. It is 0 if the SMILES is
// not read.
func Skeleton(smiles string) uint64 {
	m, ok := parse(head(smiles))
	if !ok {
		return 0
	}
	return m.bare()
}

// SkeletonOf returns [Skeleton] of a graph: the numbers of its elements [A], and the atoms that each bond joins [E, 2].
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

// bare returns the hash of a skeleton.
func (m *molecule) bare() (h uint64) {
	now, next := make([]uint64, len(m.atoms)), make([]uint64, len(m.atoms))
	for i := range m.atoms {
		now[i] = mix(uint64(m.atoms[i].number), uint64(len(m.atoms[i].bonds)))
	}
	for range bareRounds {
		for i := range m.atoms {
			next[i] = m.around(i, now)
		}
		now, next = next, now
	}
	for _, c := range now {
		h += mix(0, c)
	}
	return max(h, 1)
}
