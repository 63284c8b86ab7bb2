package tautomer

// Legend: R atoms among which double bonds can move.

// The roles of atoms in a region.
const (
	fixed   = iota // not in a region
	must           // has one double bond in every drawing
	byH            // has a double bond, or a hydrogen or a negative charge more
	byOxide        // a nitrogen with an oxygen: has a double bond and is [N+][O-], or N(O)
	byPlus         // has a double bond and a positive charge, or neither
)

// What an atom without a double bond has in its place.
const (
	hydrogen = -1
	minus    = -2
)

// roles returns the role of each atom [A].
func (m *molecule) roles() []uint8 {
	roles := make([]uint8, len(m.atoms))
	plus := false
	for i := range m.atoms {
		roles[i] = m.role(&m.atoms[i])
		plus = plus || roles[i] == byPlus && m.atoms[i].charge == 1
	}
	for again := true; again; {
		again = false
		for i, r := range roles {
			alone := r != fixed && m.atoms[i].pi == 1 && roles[m.partner(int32(i))] == fixed
			if alone || r == byPlus && !plus {
				roles[i], again = fixed, true
			}
		}
	}
	return roles
}

func (m *molecule) role(a *atom) uint8 {
	switch {
	case a.pi > 1:
	case a.number == carbon:
		if a.charge == 0 && a.pi == 1 {
			return must
		}
	case a.charge == 1 && a.pi == 1 && (a.number == nitrogen || a.number == oxygen || a.number == sulfur):
		if a.number == nitrogen && m.nitro(a) {
			return fixed
		}
		if a.number == nitrogen && m.oxideOf(a) != nil {
			return byOxide
		}
		if a.hydrogens == 0 && (len(a.bonds) == 3 || a.number != nitrogen && len(a.bonds) == 2) && !m.besideCharge(a) {
			return byPlus
		}
		return must
	case a.charge == -1 && (a.pi > 0 || m.besideCharge(a)), a.charge < -1, a.charge > 0:
	case a.number == nitrogen && a.valence() == 3+a.charge:
		switch {
		case a.pi == 1 || a.hydrogens > 0 || a.charge < 0:
			return byH
		case m.oxideOf(a) != nil:
			return byOxide
		}
		return byPlus
	case a.number == oxygen || a.number == sulfur || a.number == selenium || a.number == tellurium:
		switch {
		case a.valence() != 2+a.charge || a.terminal() && m.ofOxide(a):
		case a.terminal():
			return byH
		case len(a.bonds) == 2 && a.charge == 0:
			return byPlus
		}
	}
	return fixed
}

// oxideOf returns the oxygen of a nitrogen with three neighbours that is [N+][O-] or N(O), or nil.
func (m *molecule) oxideOf(a *atom) *atom {
	if len(a.bonds) != 3 {
		return nil
	}
	for _, k := range a.bonds {
		if c := m.other(a, k); c.number == oxygen && c.terminal() && c.charge == -a.charge && int8(c.hydrogens) == 1-a.charge && m.bonds[k].order == 1 {
			return c
		}
	}
	return nil
}

// ofOxide reports whether an oxygen is that of [oxideOf] a nitrogen.
func (m *molecule) ofOxide(a *atom) bool {
	n := m.other(a, a.bonds[0])
	return n.number == nitrogen && m.oxideOf(n) == a
}

// nitro reports whether a nitrogen has a doubly bonded oxygen.
func (m *molecule) nitro(a *atom) bool {
	for _, k := range a.bonds {
		if m.bonds[k].order == 2 && m.other(a, k).number == oxygen {
			return true
		}
	}
	return false
}

// besideCharge reports whether an atom has a neighbour of the opposite charge.
func (m *molecule) besideCharge(a *atom) bool {
	for _, k := range a.bonds {
		if m.other(a, k).charge*a.charge < 0 {
			return true
		}
	}
	return false
}

// partner returns the atom at the double bond of atom i.
func (m *molecule) partner(i int32) int32 {
	for _, k := range m.atoms[i].bonds {
		if b := &m.bonds[k]; b.order == 2 {
			return b.a + b.b - i
		}
	}
	return i
}

// A region is atoms that are joined by bonds whose orders can change.
type region struct {
	m     *molecule
	atoms []int32   // [R] of the molecule
	roles []uint8   // [R]
	next  [][]int32 // [R] neighbours in the region
	bond  [][]int32 // [R] the bonds to them
}

// regions returns the regions with an atom that can give a hydrogen or a charge, and one that can take it.
func (m *molecule) regions() (all []region) {
	roles := m.roles()
	at := make([]int32, len(roles)) // 1 + place in its region
	for i, r := range roles {
		if r == fixed || at[i] != 0 {
			continue
		}
		g := region{m: m}
		gives, takes := false, false
		for queue := []int32{int32(i)}; len(queue) > 0; {
			a := queue[0]
			queue = queue[1:]
			if at[a] != 0 {
				continue
			}
			g.atoms, g.roles = append(g.atoms, a), append(g.roles, roles[a])
			at[a] = int32(len(g.atoms))
			if roles[a] > must {
				gives, takes = gives || m.atoms[a].pi == 0, takes || m.atoms[a].pi == 1
			}
			for _, k := range m.atoms[a].bonds {
				if b := m.bonds[k].a + m.bonds[k].b - a; roles[b] != fixed && at[b] == 0 {
					queue = append(queue, b)
				}
			}
		}
		if gives && takes {
			g.connect(at, roles)
			all = append(all, g)
		}
	}
	return all
}

// connect fills in the neighbours.
func (g *region) connect(at []int32, roles []uint8) {
	g.next, g.bond = make([][]int32, len(g.atoms)), make([][]int32, len(g.atoms))
	for i, a := range g.atoms {
		for _, k := range g.m.atoms[a].bonds {
			if b := g.m.bonds[k].a + g.m.bonds[k].b - a; roles[b] != fixed {
				g.next[i], g.bond[i] = append(g.next[i], at[b]-1), append(g.bond[i], k)
			}
		}
	}
}

// A state is the partners of a region's atoms at double bonds [R]; hydrogen or minus for atoms without one.
type state []int8

// mostOf is the number of atoms of a region above which it stays as it is drawn.
const mostOf = 120

// state returns the region as it is drawn.
func (g *region) state() state {
	s := make(state, len(g.atoms))
	for i, a := range g.atoms {
		s[i] = hydrogen
		if g.m.atoms[a].charge < 0 {
			s[i] = minus
		}
		if g.m.atoms[a].pi == 1 {
			b := g.m.partner(a)
			for j, c := range g.atoms {
				if c == b {
					s[i] = int8(j)
				}
			}
		}
	}
	return s
}

// apply sets the orders of bonds, hydrogens and charges to those of a state.
func (g *region) apply(s state) {
	for i, a := range g.atoms {
		if g.roles[i] > must {
			g.set(&g.m.atoms[a], g.roles[i], s[i])
		}
		for j, k := range g.bond[i] {
			g.m.bonds[k].order = 1
			if s[i] == int8(g.next[i][j]) {
				g.m.bonds[k].order = 2
			}
		}
	}
}

// set gives an atom a double bond, or what it has in its place.
func (g *region) set(a *atom, role uint8, to int8) {
	pi := int8(0)
	if to >= 0 {
		pi = 1
	}
	switch role {
	case byH:
		if a.pi == 0 && a.charge == 0 {
			a.hydrogens--
		}
		a.charge = 0
		switch to {
		case hydrogen:
			a.hydrogens++
		case minus:
			a.charge = -1
		}
	case byOxide:
		o := g.m.oxideOf(a)
		a.charge, o.charge, o.hydrogens = pi, -pi, 1-pi
	case byPlus:
		a.charge = pi
	}
	a.pi = pi
}

// manyPaths is the number of paths that moves follows to an atom: around odd rings one may lead on where another does not.
const manyPaths = 3

// moves calls add with each state in which one atom has given its hydrogen, or taken a charge, and another the
// reverse, over a path of alternating bonds.
func (g *region) moves(s state, add func(state)) {
	ends, path := make([]uint8, len(s)), make([]bool, len(s)) // how many paths ended at an atom, and atoms of the current one
	now := make(state, len(s))
	for d, role := range g.roles {
		if role <= must || s[d] >= 0 {
			continue
		}
		gives := s[d]
		clear(ends)
		path[d] = true
		copy(now, s)
		var walk func(v int8)
		walk = func(v int8) {
			for _, n := range g.next[v] {
				w := now[n]
				if w < 0 || ends[w] == manyPaths || path[n] || path[w] {
					continue
				}
				path[n], path[w] = true, true
				ends[w]++
				now[v], now[n], now[w] = int8(n), v, gives
				if takes := g.roles[w]; (takes == byPlus) == (role == byPlus) && takes > must && !(takes == byOxide && gives == minus) {
					add(now)
				}
				walk(w)
				now[v], now[n], now[w] = gives, w, int8(n)
				path[n], path[w] = false, false
			}
		}
		walk(int8(d))
		path[d] = false
	}
}
