package tautomer

import "slices"

// onium is subtracted for each positive charge at O, S, Se or Te: where it can be, it is written at nitrogen.
const onium = 300

// score rates a drawing as RDKit's TautomerScoringFunctions (2022.09) do: its aromatic rings, and its groups. Terms
// that all drawings of a molecule share are left out.
func (m *molecule) score(rings []ring, inRing []bool) (score int) {
	arom := make([]bool, len(m.atoms))
	bonds := m.aromatize(rings, inRing)
	for k, aromatic := range bonds {
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
		if m.quinone(&rings[i], bonds) {
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
		if !arom[m.index(c)] && m.hydroxyl(c) && c.charge == 0 {
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

// quinone reports whether a ring is a para-quinone of O, N or S, without aromatic bonds.
func (m *molecule) quinone(r *ring, aromatic []bool) bool {
	if len(r.atoms) != 6 {
		return false
	}
	for i := range 3 {
		if m.outside(r, i) && m.outside(r, i+3) {
			doubles := 0
			for _, k := range r.bonds {
				if m.bonds[k].order == 2 && !aromatic[k] {
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
