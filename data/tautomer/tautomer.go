package tautomer

import (
	"cmp"
	"slices"
	"strings"
)

// manyStates is the number of drawings above which a region stays as it is drawn.
const manyStates = 400

// Normal returns the drawing of a molecule that all its drawings have in common, and whether it differs from the given
// one. If nothing moves, or the SMILES is not read, it is returned as it is.
func Normal(smiles string) (string, bool) {
	m, tail := parseSMILES(smiles)
	if m == nil {
		return smiles, false
	}
	was := slices.Clone(m.bonds)
	changed := m.charges()
	for _, g := range m.regions() {
		drawn := g.state()
		ranked := g.ranked(drawn)
		if ranked == nil {
			continue
		}
		g.apply(ranked[0].state)
		changed = changed || !g.sameState(drawn, ranked[0].state)
	}
	if !changed {
		return smiles, false
	}
	return m.write(was) + tail, true
}

// perRegion is the number of drawings of one region that [Drawings] combines with those of others.
const perRegion = 8

// Drawings returns the likeliest other drawings of a molecule, no more than most, and not the given one.
func Drawings(smiles string, most int) (all []string) {
	m, tail := parseSMILES(smiles)
	if m == nil {
		return nil
	}
	was := slices.Clone(m.bonds)
	regions := m.regions()
	ranked, drawn := make([][]rated, len(regions)), make([]state, len(regions))
	for i := range regions {
		drawn[i] = regions[i].state()
		if ranked[i] = regions[i].ranked(drawn[i]); ranked[i] == nil {
			ranked[i] = []rated{{state: drawn[i]}}
		}
		ranked[i] = ranked[i][:min(len(ranked[i]), perRegion)]
	}
	for chosen := make([]int, len(regions)); len(all) < most; {
		other := false
		for i := range regions {
			s := ranked[i][chosen[i]].state
			regions[i].apply(s)
			other = other || !regions[i].sameState(s, drawn[i])
		}
		if other {
			all = append(all, m.write(was)+tail)
		}
		i := 0
		for ; i < len(chosen); i++ {
			if chosen[i]++; chosen[i] < len(ranked[i]) {
				break
			}
			chosen[i] = 0
		}
		if i == len(chosen) {
			break
		}
	}
	return all
}

// parseSMILES reads a SMILES, and returns the extension behind it.
func parseSMILES(smiles string) (m *molecule, tail string) {
	text := head(smiles)
	m, ok := read(text)
	if !ok {
		return nil, ""
	}
	return m, smiles[len(text):]
}

func head(smiles string) string {
	if i := strings.IndexAny(smiles, " \t"); i >= 0 {
		return smiles[:i]
	}
	return smiles
}

// rated is a state with its score.
type rated struct {
	state state
	score int
	order []uint64 // decides between equal scores
}

// ranked returns the drawings of a region, the best one first; nil if they are too many.
func (g *region) ranked(drawn state) []rated {
	if len(g.atoms) > mostOf {
		return nil
	}
	m := g.m
	rings, inRing := m.findRings()
	var all []rated
	at := map[string]int{}
	add := func(s state) {
		key := g.key(s)
		i, known := at[key]
		if !known {
			i = len(all)
			at[key], all = i, append(all, rated{state: slices.Clone(s), score: -1 << 30})
		}
		g.apply(s)
		if score := m.score(rings, inRing); score > all[i].score {
			all[i].score = score
			copy(all[i].state, s)
		}
	}
	add(drawn)
	for i := 0; i < len(all); i++ {
		if len(all) > manyStates {
			g.apply(drawn)
			return nil
		}
		g.moves(slices.Clone(all[i].state), add)
	}
	if len(all) > 1 {
		g.order(all)
	}
	g.apply(drawn)
	return all
}

// order sorts states by their scores, and equal ones by the colours of the atoms with a double bond.
func (g *region) order(all []rated) {
	colours := g.m.colours(g.m.skeleton)
	for i := range all {
		for j, a := range g.atoms {
			if g.roles[j] > must {
				all[i].order = append(all[i].order, mix(colours[a], uint64(int64(min(all[i].state[j], 0)))))
			}
		}
		slices.Sort(all[i].order)
	}
	slices.SortStableFunc(all, func(a, b rated) int {
		return cmp.Or(cmp.Compare(b.score, a.score), slices.Compare(a.order, b.order))
	})
}

// key is a name of the places of hydrogens and charges in a state.
func (g *region) key(s state) string {
	key := make([]byte, 0, len(s))
	for i, r := range g.roles {
		if r > must {
			key = append(key, byte(min(s[i], 0)))
		}
	}
	return string(key)
}

// sameState reports whether two states have hydrogens and charges at the same atoms.
func (g *region) sameState(s, t state) bool { return g.key(s) == g.key(t) }
