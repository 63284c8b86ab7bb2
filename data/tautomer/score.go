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

// onium is subtracted for each positive charge at O, S, Se or Te: where it can be, it is written at nitrogen.
const onium = 300

// score rates a drawing as RDKit's TautomerScoringFunctions (2022.09) do: its aromatic rings, and its groups. Terms
// that all drawings of a molecule share are left out.
func (m *molecule) score(rings []ring, inRing []bool) (score int) {
	arom := make([]bool, len(m.atoms))
	for k, aromatic := range m.aromatize(rings, inRing) {
		if aromatic {
			arom[m.bonds[k].a], arom[m.bonds[k].b] = true, true
		}
	}
	for _, r := range rings {
		if !r.aromatic {
			continue
		}
		score += 100
		all := true
		for _, a := range r.atoms {
			all = all && m.atoms[a].number == carbon
		}
		if all {
			score += 150
		}
	}
	for i := range m.atoms {
		a := &m.atoms[i]
		switch a.number {
		case oxygen, phosphorus, sulfur, selenium, tellurium:
			if a.number != oxygen {
				score -= int(a.hydrogens)
			}
			if a.charge > 0 && a.pi > 0 {
				score -= onium
			}
		case carbon:
			if a.pi == 1 {
				score += m.carbonScore(a, arom, inRing)
			}
		case nitrogen:
			if a.pi == 1 && m.nitro(a) {
				score += 2
			}
		}
	}
	for i := range rings {
		if m.quinone(&rings[i]) {
			score += 25
		}
	}
	return score
}

// carbonScore rates the double bond of a carbon to a heteroatom.
func (m *molecule) carbonScore(a *atom, arom []bool, inRing []bool) (score int) {
	at := m.index(a)
	for _, k := range a.bonds {
		c := m.other(a, k)
		if m.bonds[k].order != 2 || c.number == carbon {
			continue
		}
		aromaticBond := arom[at] && arom[m.index(c)] && inRing[k]
		if c.number == oxygen {
			score += 2
		}
		if !arom[at] {
			score++
		}
		if c.number != nitrogen || aromaticBond {
			continue
		}
		if arom[at] && !inRing[k] {
			score--
		}
		if !arom[m.index(c)] && m.hydroxyl(c) {
			score += 4
		}
		score += m.guanidine(a, c, k, arom, inRing)
	}
	return score
}

// guanidine rates the place of the double bond of a carbon a with two nitrogens more: to c over bond k.
func (m *molecule) guanidine(a, c *atom, k int32, arom, inRing []bool) (score int) {
	nitrogens, bare, ring, open := 0, 0, 0, 0
	for _, l := range a.bonds {
		n := m.other(a, l)
		if l == k || n.number != nitrogen {
			continue
		}
		nitrogens++
		if n.hydrogens == 0 {
			bare++
		}
		if m.inAnyRing(n, inRing) {
			ring++
		}
		if !arom[m.index(n)] {
			open++
		}
	}
	if nitrogens < 2 {
		return 0
	}
	if !m.inAnyRing(c, inRing) && bare > 0 && !arom[m.index(a)] {
		score++
	}
	if m.inAnyRing(c, inRing) && m.inAnyRing(a, inRing) && ring > 0 && open > 0 {
		score += 2
	}
	return score
}

func (m *molecule) inAnyRing(a *atom, inRing []bool) bool {
	return slices.ContainsFunc(a.bonds, func(k int32) bool { return inRing[k] })
}

func (m *molecule) index(a *atom) int32 {
	b := &m.bonds[a.bonds[0]]
	if &m.atoms[b.a] == a {
		return b.a
	}
	return b.b
}

// hydroxyl reports whether an atom has a neighbour OH.
func (m *molecule) hydroxyl(a *atom) bool {
	return slices.ContainsFunc(a.bonds, func(k int32) bool {
		c := m.other(a, k)
		return c.number == oxygen && c.hydrogens == 1
	})
}

// quinone reports whether a ring is a para-quinone of O, N or S.
func (m *molecule) quinone(r *ring) bool {
	if len(r.atoms) != 6 {
		return false
	}
	for i := range 3 {
		if m.outside(r, i) && m.outside(r, i+3) {
			doubles := 0
			for _, k := range r.bonds {
				if m.bonds[k].order == 2 {
					doubles++
				}
			}
			return doubles == 2
		}
	}
	return false
}

// outside reports whether atom i of a ring is a carbon with a double bond to O, N or S outside.
func (m *molecule) outside(r *ring, i int) bool {
	a := &m.atoms[r.atoms[i]]
	return a.number == carbon && slices.ContainsFunc(a.bonds, func(k int32) bool {
		n := m.other(a, k).number
		return m.bonds[k].order == 2 && !slices.Contains(r.bonds, k) && (n == oxygen || n == nitrogen || n == sulfur)
	})
}
