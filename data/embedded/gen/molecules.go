package main

import (
	"context"
	"math/rand/v2"
	"slices"

	"pacia/data/rdkit"
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
	smiles string // canonical
	values map[string]float64
	has    []bool // trainingFeatures, then testFeatures
}

// describer finds features and unwanted patterns of molecules.
type describer struct {
	features []feature
	smarts   []string // unwanted, then those of the features in order
	names    []string // of RDKit's descriptors
}

func newDescriber(features []feature) (*describer, error) {
	d := &describer{features: features, smarts: slices.Clone(unwanted)}
	for _, f := range features {
		d.smarts = append(d.smarts, f.smarts...)
	}
	if _, err := rdkit.Matches(context.Background(), "C", d.smarts); err != nil {
		return nil, err
	}
	names, err := rdkit.DescriptorNames(context.Background())
	d.names = names
	return d, err
}

// describe returns the molecule of a SMILES string, and whether it is fit for
// the set.
func (d *describer) describe(smiles string) (m molecule, fit bool) {
	ctx := context.Background()
	canonical, err := rdkit.Canonical(ctx, smiles)
	if err != nil {
		return m, false
	}
	// The canonical string is read back, so that tags of atoms that are not stereocentres are gone.
	graph, err := rdkit.Parse(canonical)
	if heavy := len(graph.Atoms) / 2; err != nil || heavy < minHeavy || heavy > maxHeavy {
		return m, false
	}
	matches, err := rdkit.Matches(ctx, canonical, d.smarts)
	if err != nil || slices.Contains(matches[:len(unwanted)], true) {
		return m, false
	}
	values, err := rdkit.Descriptors(ctx, nil, canonical)
	if err != nil {
		return m, false
	}
	m = molecule{smiles: canonical, values: make(map[string]float64)}
	for i, name := range d.names {
		m.values[name] = values[i]
	}
	for v := 1; v < len(graph.Atoms); v += 2 {
		m.values[stereocentres] += float64(class(graph.Atoms[v] != 0))
	}
	rest := matches[len(unwanted):]
	for _, f := range d.features {
		own := rest[:len(f.smarts)]
		rest = rest[len(own):]
		m.has = append(m.has, slices.Contains(own, true) || len(own) == 0 && m.values[f.descriptor] >= f.least)
	}
	return m, true
}

// molecules draws the molecules of the set, in the order in which they came.
func molecules(d *describer) []molecule {
	a := &assembler{rand.New(rand.NewPCG(seed, 1))}
	seen := make(map[string]bool)
	var list []molecule
	for len(list) < moleculeCount {
		m, ok := d.describe(a.molecule())
		if ok && !seen[m.smiles] {
			seen[m.smiles] = true
			list = append(list, m)
		}
	}
	return list
}
