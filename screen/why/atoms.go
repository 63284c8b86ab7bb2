package why

import (
	"cmp"
	"context"
	"slices"

	"pacia/data/rdkit"
	"pacia/internal/each"
)

// Legend: A atoms of a molecule, c nonzero bits of its fingerprint.

// structure holds the atoms and bonds of a molecule, and the environments of its atoms.
type structure struct {
	graph
	smiles       string
	atoms        int // A
	environments []rdkit.Environment
	names        []uint32 // of the environments, ascending
}

func moleculeOf(ctx context.Context, smiles string) (m structure, err error) {
	m.smiles = smiles
	if m.atoms, m.environments, err = rdkit.Environments(ctx, smiles); err != nil {
		return m, err
	}
	m.names = each.Of(m.environments, func(e rdkit.Environment) uint32 { return e.Name })
	slices.Sort(m.names)
	m.graph, err = graphOf(smiles)
	return m, err
}

// divided distributes the shares of the nonzero bits [c], in ascending order of bits, over the environments.
// It returns nil if the molecule has another number of bits.
func (m *structure) divided(bits []float64) []float64 {
	counts := map[uint16]int{}
	for _, s := range m.environments {
		counts[s.Bit()]++
	}
	if len(counts) != len(bits) {
		return nil
	}
	of := make(map[uint16]float64, len(bits)) // one environment of the bit
	i := 0
	for bit := range rdkit.CountsLength {
		if n := counts[uint16(bit)]; n > 0 {
			of[uint16(bit)] = bits[i] / float64(n)
			i++
		}
	}
	return each.Of(m.environments, func(s rdkit.Environment) float64 { return of[s.Bit()] })
}

// shares distributes the shares of environments over the atoms [A].
func (m *structure) shares(environments []float64) []float64 {
	if environments == nil {
		return nil
	}
	atoms := make([]float64, m.atoms)
	for i, s := range m.environments {
		part := environments[i] / float64(len(s.Atoms))
		for _, a := range s.Atoms {
			atoms[a] += part
		}
	}
	return atoms
}

// likeness returns the Tanimoto coefficient of the environments of two molecules.
func (m *structure) likeness(with *structure) float64 {
	both := 0
	for i, j := 0, 0; i < len(m.names) && j < len(with.names); {
		switch cmp.Compare(m.names[i], with.names[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	return float64(both) / float64(max(1, len(m.names)+len(with.names)-both))
}

// common returns the atoms, ascending, of environments of at least one bond that another molecule also has.
func (m *structure) common(with *structure) (atoms []int32) {
	there := each.Pairs(with.environments, func(s rdkit.Environment) (uint32, bool) { return s.Name, true })
	for _, s := range m.environments {
		if len(s.Atoms) > 1 && there[s.Name] {
			atoms = append(atoms, s.Atoms...)
		}
	}
	slices.Sort(atoms)
	return slices.Compact(atoms)
}
