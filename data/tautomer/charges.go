package tautomer

// charges brings charge-separated and hypervalent drawings into one form, that of FS-Mol's files. It returns whether
// anything changed.
func (m *molecule) charges() (changed bool) {
	for range rounds {
		if !m.oneForm() {
			break
		}
		changed = true
	}
	return changed
}

// rounds limits how often one change makes room for another.
const rounds = 8

// oneForm applies all rules once.
func (m *molecule) oneForm() (changed bool) {
	for i := range m.atoms {
		a := &m.atoms[i]
		switch a.number {
		case nitrogen:
			changed = m.nitrogenOfFive(a) || m.diazo(a) || changed
		case phosphorus, 33, sulfur, selenium, tellurium:
			changed = m.recombine(a) || changed
			changed = m.phosphorous(a) || changed
			changed = m.hypervalent(a) || changed
			changed = m.sulfoxide(a) || changed
		}
	}
	return changed
}

// other returns the neighbour of a over its bond k.
func (m *molecule) other(a *atom, k int32) *atom {
	b := &m.bonds[k]
	if &m.atoms[b.a] == a {
		return &m.atoms[b.b]
	}
	return &m.atoms[b.a]
}

// shift changes the order of a bond of a and c.
func (m *molecule) shift(a, c *atom, k int32, by int8) {
	m.bonds[k].order += by
	a.pi += by
	c.pi += by
}

// valence is the number of an atom's bonds, with those to hydrogens.
func (a *atom) valence() int8 { return int8(len(a.bonds)) + a.pi + a.hydrogens }

// terminal reports whether an atom has one heavy neighbour.
func (a *atom) terminal() bool { return len(a.bonds) == 1 }

// nitrogenOfFive separates charges of a nitrogen with five bonds: N(=O)=O becomes [N+](=O)[O-], and N=N#N becomes
// N=[N+]=[N-].
func (m *molecule) nitrogenOfFive(a *atom) bool {
	if a.charge != 0 || a.valence() != 5 {
		return false
	}
	for _, number := range []uint8{oxygen, nitrogen} {
		for _, k := range a.bonds {
			c, order := m.other(a, k), m.bonds[k].order
			if c.number == number && c.terminal() && c.charge == 0 && (number == oxygen && order == 2 || number == nitrogen && order == 3) {
				m.shift(a, c, k, -1)
				a.charge, c.charge = 1, -1
				return true
			}
		}
	}
	return false
}

// diazo writes [X-][N+]#N as X=[N+]=[N-].
func (m *molecule) diazo(a *atom) bool {
	if a.charge != 1 || len(a.bonds) != 2 || a.pi != 2 {
		return false
	}
	for i, k := range a.bonds {
		end, middle := m.other(a, k), a.bonds[1-i]
		from := m.other(a, middle)
		if end.number == nitrogen && end.charge == 0 && m.bonds[k].order == 3 && from.charge == -1 && m.bonds[middle].order == 1 {
			m.shift(a, end, k, -1)
			m.shift(a, from, middle, 1)
			end.charge, from.charge = -1, 0
			return true
		}
	}
	return false
}

// recombine replaces charges of P, As, S, Se and Te and of a neighbour by a bond, but for sulfoxides.
func (m *molecule) recombine(a *atom) (changed bool) {
	for _, k := range a.bonds {
		c := m.other(a, k)
		if a.charge < 1 || c.charge >= 0 || c.number == nitrogen && c.pi > 1 || m.bonds[k].order > 2 {
			continue
		}
		if a.number == sulfur && c.number == oxygen && m.plainSulfoxide(a) {
			continue
		}
		m.shift(a, c, k, 1)
		a.charge--
		c.charge++
		changed = true
	}
	return changed
}

// plainSulfoxide reports whether a sulfur has three neighbours, one of them an oxygen.
func (m *molecule) plainSulfoxide(a *atom) bool {
	oxygens := 0
	for _, k := range a.bonds {
		if m.other(a, k).number == oxygen {
			oxygens++
		}
	}
	return len(a.bonds)+int(a.hydrogens) == 3 && oxygens == 1
}

// sulfoxide writes S=O as [S+][O-].
func (m *molecule) sulfoxide(a *atom) bool {
	if a.number != sulfur || a.charge != 0 || a.pi != 1 || !m.plainSulfoxide(a) {
		return false
	}
	for _, k := range a.bonds {
		if c := m.other(a, k); c.number == oxygen && m.bonds[k].order == 2 {
			m.shift(a, c, k, -1)
			a.charge, c.charge = 1, -1
			return true
		}
	}
	return false
}

// phosphorous writes P(O) of three bonds as [PH]=O.
func (m *molecule) phosphorous(a *atom) bool {
	if a.number != phosphorus || a.charge != 0 || a.valence() != 3 {
		return false
	}
	for _, k := range a.bonds {
		if c := m.other(a, k); c.number == oxygen && c.hydrogens == 1 && c.charge == 0 {
			m.shift(a, c, k, 1)
			c.hydrogens, a.hydrogens = 0, a.hydrogens+1
			return true
		}
	}
	return false
}

// hypervalent moves hydrogens away from oxygens of S and P, to nitrogens and sulfurs that are doubly bonded to it.
func (m *molecule) hypervalent(a *atom) (changed bool) {
	if a.charge != 0 || a.valence() < 4 {
		return false
	}
	for _, k := range a.bonds {
		from := m.other(a, k)
		if from.number != oxygen || from.hydrogens != 1 || from.charge != 0 {
			continue
		}
		for _, l := range a.bonds {
			if to := m.other(a, l); m.bonds[l].order == 2 && to.charge == 0 && (to.number == nitrogen || to.number == sulfur && to.terminal()) {
				m.shift(a, to, l, -1)
				m.shift(a, from, k, 1)
				from.hydrogens, to.hydrogens = 0, to.hydrogens+1
				changed = true
				break
			}
		}
	}
	return changed
}
