package tautomer

// kekulize replaces the orders of aromatic bonds by 1 and 2. It returns false if there is no such structure.
func (m *molecule) kekulize() bool {
	needs := make([]bool, len(m.atoms))
	any := false
	for i := range m.atoms {
		a := &m.atoms[i]
		if !a.aromatic {
			continue
		}
		double, between := false, 0
		for _, k := range a.bonds {
			double = double || m.bonds[k].order == 2
			if m.bonds[k].order == aromatic {
				between++
			}
		}
		need, ok := a.needsDouble(double)
		if !ok {
			return false
		}
		needs[i] = need
		any = any || between > 0
	}
	if !any {
		return true
	}
	ring := m.ringBonds()
	k := kekule{m: m, ring: ring, needs: needs, steps: 20000}
	if !k.pair() {
		return false
	}
	for i := range m.bonds {
		if b := &m.bonds[i]; b.order == aromatic {
			b.order = 1
		}
	}
	for _, chosen := range k.chosen {
		m.bonds[chosen].order = 2
	}
	return true
}

// needsDouble reports whether an aromatic atom has a double bond to an aromatic neighbour. double tells that it has
// one that is written. It returns false for atoms that no rule covers.
func (a *atom) needsDouble(double bool) (need, ok bool) {
	degree := int8(len(a.bonds)) + max(a.hydrogens, 0)
	switch a.number {
	case carbon:
		return !double && a.charge == 0, true
	case nitrogen, phosphorus, 33:
		switch a.charge {
		case 0:
			return degree == 2 || degree == 3 && double, degree == 2 || degree == 3
		case 1:
			return degree == 3 && !double, degree == 3
		case -1:
			return false, degree == 2
		}
	case oxygen, sulfur, selenium, tellurium:
		switch a.charge {
		case 0:
			return false, true
		case 1:
			return degree == 2, true
		}
	case 5:
		return false, true
	}
	return false, false
}

// kekule pairs the atoms that need double bonds.
type kekule struct {
	m      *molecule
	ring   []bool
	needs  []bool
	chosen []int32 // bonds
	steps  int     // that are left before it gives up
}

// pair pairs the atom with the fewest free neighbours, then the others.
func (k *kekule) pair() bool {
	if k.steps--; k.steps < 0 {
		return false
	}
	best, fewest := int32(-1), 1<<30
	for i, need := range k.needs {
		if !need {
			continue
		}
		if n := k.free(int32(i)); n < fewest {
			best, fewest = int32(i), n
		}
		if fewest < 2 {
			break
		}
	}
	if best < 0 {
		return true
	}
	for _, at := range k.m.atoms[best].bonds {
		other, ok := k.usable(best, at)
		if !ok {
			continue
		}
		k.needs[best], k.needs[other] = false, false
		k.chosen = append(k.chosen, at)
		if k.pair() {
			return true
		}
		k.chosen = k.chosen[:len(k.chosen)-1]
		k.needs[best], k.needs[other] = true, true
	}
	return false
}

// usable returns the other atom of a bond that can become a double bond.
func (k *kekule) usable(a, bond int32) (other int32, ok bool) {
	b := &k.m.bonds[bond]
	other = b.a + b.b - a
	return other, b.order == aromatic && k.ring[bond] && k.needs[other]
}

func (k *kekule) free(a int32) (n int) {
	for _, at := range k.m.atoms[a].bonds {
		if _, ok := k.usable(a, at); ok {
			n++
		}
	}
	return n
}

// ringBonds reports of each bond [E] whether it is in a ring.
func (m *molecule) ringBonds() []bool {
	ring := make([]bool, len(m.bonds))
	depth, low := make([]int32, len(m.atoms)), make([]int32, len(m.atoms))
	var visit func(a, by, d int32)
	visit = func(a, by, d int32) {
		depth[a], low[a] = d, d
		for _, k := range m.atoms[a].bonds {
			if k == by {
				continue
			}
			other := m.bonds[k].a + m.bonds[k].b - a
			if depth[other] == 0 {
				visit(other, k, d+1)
				low[a] = min(low[a], low[other])
				ring[k] = low[other] <= d
			} else {
				low[a] = min(low[a], depth[other])
				ring[k] = true
			}
		}
	}
	for i := range m.atoms {
		if depth[i] == 0 {
			visit(int32(i), -1, 1)
		}
	}
	return ring
}

// implicit sets the hydrogens of atoms without brackets, and pi of all atoms. It returns false if the valence of an
// atom without brackets is too large.
func (m *molecule) implicit() bool {
	for i := range m.atoms {
		a := &m.atoms[i]
		sum := int8(0)
		a.pi = 0
		for _, k := range a.bonds {
			sum += m.bonds[k].order
			a.pi += m.bonds[k].order - 1
		}
		if a.hydrogens != unknown {
			continue
		}
		a.hydrogens = 0
		if a.number == 0 {
			continue
		}
		ok := false
		for _, v := range valences(a.number) {
			if v >= sum {
				a.hydrogens, ok = v-sum, true
				break
			}
		}
		if !ok {
			return false
		}
	}
	return true
}
