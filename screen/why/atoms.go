package why

import (
	"context"
	"slices"

	"pacia/data/rdkit"
	"pacia/internal/each"
)

// Legend: A atoms of a molecule, c nonzero bits of its fingerprint.

// molecule holds the environments of a molecule's atoms.
type molecule struct {
	atoms        int // A
	environments []rdkit.Environment
}

func moleculeOf(ctx context.Context, smiles string) (m molecule, err error) {
	m.atoms, m.environments, err = rdkit.Environments(ctx, smiles)
	return m, err
}

// shares distributes the shares of the nonzero bits [c], in ascending order of bits, over the atoms [A]. It
// returns nil if the molecule has another number of bits.
func (m *molecule) shares(bits []float64) []float64 {
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
	atoms := make([]float64, m.atoms)
	for _, s := range m.environments {
		part := of[s.Bit()] / float64(len(s.Atoms))
		for _, a := range s.Atoms {
			atoms[a] += part
		}
	}
	return atoms
}

// common returns the atoms, ascending, of environments of at least one bond that another molecule also has.
func (m *molecule) common(with *molecule) (atoms []int32) {
	there := each.Pairs(with.environments, func(s rdkit.Environment) (uint32, bool) { return s.Name, true })
	for _, s := range m.environments {
		if len(s.Atoms) > 1 && there[s.Name] {
			atoms = append(atoms, s.Atoms...)
		}
	}
	slices.Sort(atoms)
	return slices.Compact(atoms)
}
