package main

import (
	"fmt"
	"strings"
)

// Descriptors, by RDKit's names; RDKit has none for atoms with a chirality tag.
const (
	heavyAtoms    = "HeavyAtomCount"
	logP          = "MolLogP" // Crippen's
	tpsa          = "TPSA"    // Å²
	aromaticRings = "NumAromaticRings"
	stereocentres = "stereocentres"
)

// A feature is something that a molecule has or has not: a match of one of
// its SMARTS patterns, or a descriptor of at least a number.
type feature struct {
	name       string
	about      string
	smarts     []string
	descriptor string // used where smarts is empty
	least      float64
}

func (f feature) define() string {
	if len(f.smarts) == 0 {
		return fmt.Sprintf("%v ≥ %v", strings.Replace(f.descriptor, aromaticRings, "aromatic rings", 1), f.least)
	}
	return "`" + strings.Join(f.smarts, "` or `") + "`"
}

// trainingFeatures become two training tasks each, presence and absence.
var trainingFeatures = []feature{
	{name: "benzene", about: "benzene ring that is not fused", smarts: []string{"[cR1]1[cR1][cR1][cR1][cR1][cR1]1"}},
	{name: "five_aromatic", about: "five-membered aromatic ring", smarts: []string{"[a;r5]"}},
	{name: "aromatic_oxygen_sulfur", about: "aromatic oxygen or sulfur", smarts: []string{"[o,s]"}},
	{name: "aromatic_nh", about: "aromatic NH", smarts: []string{"[nH]"}},
	{name: "azine", about: "six-membered aromatic ring with nitrogen", smarts: []string{"[n;r6]"}},
	{name: "saturated_azacycle", about: "basic nitrogen in a saturated ring", smarts: []string{"[NX3;R;!$(N[C,S]=O)]"}},
	{name: "cyclic_ether", about: "oxygen in a saturated ring", smarts: []string{"[O;R]"}},
	{name: "cyclopropane", about: "cyclopropane ring", smarts: []string{"[CX4r3]"}},
	{name: "cycloalkane", about: "cyclopentane or cyclohexane ring", smarts: []string{"[CX4;R]1[CX4][CX4][CX4][CX4]1", "[CX4;R]1[CX4][CX4][CX4][CX4][CX4]1"}},
	{name: "sulfonyl", about: "sulfone or sulfonamide", smarts: []string{"[SX4](=O)=O"}},
	{name: "thioether", about: "thioether", smarts: []string{"[SX2]([#6])[#6]"}},
	{name: "halogen", about: "halogen", smarts: []string{"[F,Cl,Br]"}},
	{name: "oxygen", about: "oxygen", smarts: []string{"[#8]"}},
	{name: "acid", about: "carboxylic acid", smarts: []string{"C(=O)[OX2H]"}},
	{name: "ester", about: "ester of a carboxylic acid", smarts: []string{"[#6]C(=O)O[#6]"}},
	{name: "amide", about: "amide of a carboxylic acid", smarts: []string{"C(=O)[NX3]"}},
	{name: "carbon_multiple_bond", about: "alkene, alkyne or nitrile", smarts: []string{"C=[C;!$(C=O)]", "C#[C,N]"}},
}

// testFeatures become one held-out task each, half of them absence.
var testFeatures = []feature{
	{name: "saturated_ring", about: "ring with sp3 carbon", smarts: []string{"[CX4;R]"}},
	{name: "aromatic_nitrogen", about: "aromatic nitrogen", smarts: []string{"[n]"}},
	{name: "aromatic_rings", about: "two aromatic rings or more", descriptor: aromaticRings, least: 2},
	{name: "branched_carbon", about: "sp3 carbon bound to three carbons, or trifluoromethyl", smarts: []string{"[CX4](C)(C)C", "[CX4](F)(F)F"}},
	{name: "stereocentre", about: "atom of specified chirality", descriptor: stereocentres, least: 1},
	{name: "aromatic_amine", about: "amine on an aromatic ring", smarts: []string{"c[NX3;!$(N[C,S]=O);+0]"}},
}
