package main

import (
	"fmt"
	"math/rand/v2"

	"pacia/data/embedded/gen/chem"
)

// The size of the set and of its molecules. Small molecules keep an episode
// short, and a group is a large part of them: a few hundred training steps
// are to suffice.
const (
	seed          = 20240817
	moleculeCount = 1500
	minHeavy      = 7
	maxHeavy      = 16
)

// unwanted are SMARTS patterns of what no chemist would keep: chains of
// hetero atoms, aminals, anhydrides, enols and the like.
var unwanted = []string{
	"[NX3,OX2,SX2]-!@[NX3,OX2,SX2,nX3]",
	"[F,Cl,Br]-[!#6]",
	"[NX3,OX2,SX2]-!@[CX4]-!@[NX3,OX2,SX2,F,Cl,Br]",
	"[CX3](=O)-[OX2,SX2,S,CX3]-[CX3]=O",
	"[CX3](=O)[F,Cl,Br]",
	"C=[CX3]-[OX2,NX3,SX2,F,Cl,Br]",
	"[C,N]#C-[!#6]",
	"[SX4]-!@[SX4,OX2,NX3]-!@[SX4]",
	"[SX4]-[F,Cl,Br]",
	"[SX3,SX4]-[SX2,OX2]",
}

// molecule is one row of the set: what RDKit says of it, and which features
// it has.
type molecule struct {
	chem.Molecule
	has []bool // trainingFeatures, then testFeatures
}

// describer finds features and unwanted patterns of molecules.
type describer struct {
	features []feature
	patterns []chem.Pattern // of the features in order, then unwanted
}

// newDescriber compiles all patterns.
func newDescriber(features []feature) (*describer, error) {
	d := &describer{features: features}
	for _, f := range features {
		if err := d.compile(f.smarts); err != nil {
			return nil, fmt.Errorf("feature %s: %w", f.name, err)
		}
	}
	return d, d.compile(unwanted)
}

func (d *describer) compile(smarts []string) error {
	for _, s := range smarts {
		p, err := chem.Compile(s)
		if err != nil {
			return err
		}
		d.patterns = append(d.patterns, p)
	}
	return nil
}

// describe returns the molecule of a SMILES string, and whether it is fit for
// the set.
func (d *describer) describe(smiles string) (molecule, bool) {
	c, err := chem.Describe(smiles, d.patterns)
	if err != nil {
		return molecule{}, false
	}
	if heavy := c.Values[chem.HeavyAtoms]; heavy < minHeavy || heavy > maxHeavy {
		return molecule{}, false
	}
	m, rest := molecule{Molecule: c}, c.Matches
	for _, f := range d.features {
		n := len(f.smarts)
		m.has = append(m.has, holds(f, c, rest[:n]))
		rest = rest[n:]
	}
	return m, !anyMatch(rest)
}

// holds says whether the molecule has the feature, given the matches of the
// feature's own patterns.
func holds(f feature, c chem.Molecule, matches []int) bool {
	if len(f.smarts) == 0 {
		return c.Values[f.descriptor] >= f.least
	}
	return anyMatch(matches)
}

func anyMatch(matches []int) bool {
	for _, n := range matches {
		if n > 0 {
			return true
		}
	}
	return false
}

// molecules draws the molecules of the set, in the order in which they came.
func molecules(d *describer) []molecule {
	a := &assembler{rand.New(rand.NewPCG(seed, 1))}
	seen := make(map[string]bool)
	var list []molecule
	for len(list) < moleculeCount {
		m, ok := d.describe(a.molecule())
		if ok && !seen[m.SMILES] {
			seen[m.SMILES] = true
			list = append(list, m)
		}
	}
	return list
}
