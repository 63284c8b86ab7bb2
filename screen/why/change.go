package why

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"pacia/data/rdkit"
	"pacia/internal/each"
)

// Legend: q the ranked molecule, r the measured molecule beside which it is shown.

// A Change is a group of q in place of a group of r. Both are joined to the same atoms of the common core.
type Change struct {
	Here         string  `json:"here"`         // SMILES of the group of q. [*:1] stands for the atom of the core that has the number 1
	There        string  `json:"there"`        // the same of r; [*:1][H] if it has hydrogen there
	Share        float64 `json:"share"`        // in the difference of the log-odds
	Fingerprints float64 `json:"fingerprints"` // the part of Share in environments of atoms that have the group or its place
	Atoms        []int32 `json:"atoms"`        // of the group in q
	AtomsThere   []int32 `json:"atoms_there"`  // of the group in r

	sites        []site
	environments float64 // number of environments that the change changes
}

// A site is an atom of the common core, in q and in r.
type site struct{ here, there, number int32 }

// A changeSet has the changes between two aligned molecules. here and there have the index of each atom's change.
type changeSet struct {
	all         []Change
	here, there []member
}

// A member is the place of an atom in a change.
type member struct {
	change int  // index of the change; -1: none
	group  bool // the atom is one of the group, not one of the core to which groups are joined
}

// changesOf finds the changes. Groups that are joined to the same atom of the core are one change, as are
// groups in which an atom has the place of one of another kind.
func changesOf(a, b *graph, m *alignment) changeSet {
	n := len(a.links)
	set := newSets(n + len(b.links)) // of atoms of a, then of b; an atom of the core stands for both molecules
	at := func(y int32) int {
		if x := m.back[y]; x >= 0 && m.core(a, b, x) {
			return int(x)
		}
		return n + int(y)
	}
	changed := make([]bool, n+len(b.links))
	join := func(x int, core bool, other int, otherCore bool) {
		if !core {
			changed[x] = true
		}
		if !core || !otherCore {
			set.join(x, other)
			changed[x], changed[other] = true, true
		}
	}
	for x := range int32(n) {
		core := m.core(a, b, x)
		join(int(x), core, int(x), true)
		for _, l := range a.links[x] {
			join(int(x), core, int(l.to), m.core(a, b, l.to))
		}
		if y := m.onto[x]; y >= 0 && !core {
			set.join(int(x), n+int(y))
		}
	}
	for y := range int32(len(b.links)) {
		core := at(y) < n
		join(at(y), core, at(y), true)
		for _, l := range b.links[y] {
			join(at(y), core, at(l.to), at(l.to) < n)
		}
	}
	c := changeSet{here: make([]member, n), there: make([]member, len(b.links))}
	index := map[int]int{}
	take := func(p int) (i int) {
		if !changed[p] {
			return -1
		}
		i, met := index[set.change(p)]
		if !met {
			i = len(c.all)
			index[set.change(p)], c.all = i, append(c.all, Change{})
		}
		return i
	}
	for x := range int32(n) {
		c.here[x] = member{take(int(x)), !m.core(a, b, x)}
		if c.here[x].change < 0 {
			continue
		}
		change := &c.all[c.here[x].change]
		if c.here[x].group {
			change.Atoms = append(change.Atoms, x)
		} else {
			change.sites = append(change.sites, site{here: x, there: m.onto[x]})
		}
	}
	for y := range int32(len(b.links)) {
		c.there[y] = member{take(at(y)), at(y) >= n}
		if c.there[y].change >= 0 && c.there[y].group {
			change := &c.all[c.there[y].change]
			change.AtomsThere = append(change.AtomsThere, y)
		}
	}
	return c
}

// sets are disjoint sets of numbers from 0.
type sets []int

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sets) change(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

func (s sets) join(i, j int) { s[s.change(j)] = s.change(i) }

// credit adds the shares of environments to the changes that change them: equally to those with an atom of their
// group in the environment, or else to those with a place in it. sign is -1 for r, whose shares are subtracted.
func (c *changeSet) credit(environments []rdkit.Environment, shares []float64, kept func(int) bool, members []member, sign float64) {
	for i, e := range environments {
		if kept(i) {
			continue
		}
		var groups, places []int
		for _, a := range e.Atoms {
			switch m := members[a]; {
			case m.change < 0:
			case m.group:
				groups = append(groups, m.change)
			default:
				places = append(places, m.change)
			}
		}
		if len(groups) == 0 {
			groups = places
		}
		slices.Sort(groups)
		groups = slices.Compact(groups)
		for _, g := range groups {
			c.all[g].Fingerprints += sign * shares[i] / float64(len(groups))
			c.all[g].environments += 1 / float64(len(groups))
		}
	}
}

// divide sets the shares of the changes, which add up to the difference of the log-odds. What has no atoms is
// divided in proportion to the number of environments that a change changes. The largest change comes first.
func (c *changeSet) divide(difference float64) []Change {
	rest, all := difference, 0.0
	for _, one := range c.all {
		rest -= one.Fingerprints
		all += one.environments
	}
	for i := range c.all {
		one := &c.all[i]
		one.Share = one.Fingerprints + rest*one.environments/max(all, 1)
	}
	slices.SortStableFunc(c.all, func(x, y Change) int { return cmp.Compare(math.Abs(y.Share), math.Abs(x.Share)) })
	number := int32(0)
	for _, one := range c.all {
		for i := range one.sites {
			number++
			one.sites[i].number = number
		}
	}
	return c.all
}

// name sets the SMILES of the groups, and returns that of the core in q.
func name(ctx context.Context, q, r *structure, core []int32, all []Change) (string, error) {
	var here, there []rdkit.Fragment
	whole := rdkit.Fragment{Atoms: core}
	for _, c := range all {
		for _, s := range c.sites {
			whole.At, whole.Labels = append(whole.At, s.here), append(whole.Labels, s.number)
		}
		here = append(here, q.fragments(c.Atoms, c.sites, func(s site) int32 { return s.here })...)
		there = append(there, r.fragments(c.AtomsThere, c.sites, func(s site) int32 { return s.there })...)
	}
	ours, err := rdkit.Fragments(ctx, q.smiles, append(here, whole))
	if err != nil {
		return "", err
	}
	theirs, err := rdkit.Fragments(ctx, r.smiles, there)
	if err != nil {
		return "", err
	}
	for i, c := range all {
		all[i].Here, ours = named(c.Atoms, c.sites, ours)
		all[i].There, theirs = named(c.AtomsThere, c.sites, theirs)
	}
	return ours[0], nil
}

// fragments returns the fragment of a group, with the sites beside it; none for a group without atoms.
func (m *structure) fragments(atoms []int32, sites []site, at func(site) int32) []rdkit.Fragment {
	if len(atoms) == 0 {
		return nil
	}
	f := rdkit.Fragment{Atoms: atoms}
	for _, s := range sites {
		if slices.ContainsFunc(m.links[at(s)], func(l link) bool { return slices.Contains(atoms, l.to) }) {
			f.At, f.Labels = append(f.At, at(s)), append(f.Labels, s.number)
		}
	}
	return []rdkit.Fragment{f}
}

// named returns the SMILES of a group, and the remaining ones. A group without atoms is hydrogen.
func named(atoms []int32, sites []site, smiles []string) (string, []string) {
	if len(atoms) > 0 {
		return smiles[0], smiles[1:]
	}
	return strings.Join(each.Of(sites, func(s site) string { return fmt.Sprintf("[*:%d][H]", s.number) }), "."), smiles
}
