package why

import (
	"context"
	"slices"

	"pacia/data/rdkit"
	"pacia/internal/each"
)

// Legend: A atoms of a molecule, c nonzero bits of its fingerprint.

// molecule holds the surroundings of a molecule's atoms.
type molecule struct {
	atoms        int // A
	surroundings []rdkit.Surrounding
}

func moleculeOf(ctx context.Context, smiles string) (m molecule, err error) {
	m.atoms, m.surroundings, err = rdkit.Surroundings(ctx, smiles)
	return m, err
}

// shares distributes the shares of the nonzero bits [c], in ascending order of bits, over the atoms [A]. It
// returns nil if the molecule has another number of bits.
func (m *molecule) shares(bits []float64) []float64 {
	counts := map[uint16]int{}
	for _, s := range m.surroundings {
		counts[s.Bit()]++
	}
	if len(counts) != len(bits) {
		return nil
	}
	of := make(map[uint16]float64, len(bits)) // one surrounding of the bit
	i := 0
	for bit := range rdkit.CountsLength {
		if n := counts[uint16(bit)]; n > 0 {
			of[uint16(bit)] = bits[i] / float64(n)
			i++
		}
	}
	atoms := make([]float64, m.atoms)
	for _, s := range m.surroundings {
		part := of[s.Bit()] / float64(len(s.Atoms))
		for _, a := range s.Atoms {
			atoms[a] += part
		}
	}
	return atoms
}

// common returns the atoms, ascending, of surroundings of at least one bond that another molecule also has.
func (m *molecule) common(with *molecule) (atoms []int32) {
	there := each.Pairs(with.surroundings, func(s rdkit.Surrounding) (uint32, bool) { return s.Name, true })
	for _, s := range m.surroundings {
		if len(s.Atoms) > 1 && there[s.Name] {
			atoms = append(atoms, s.Atoms...)
		}
	}
	slices.Sort(atoms)
	return slices.Compact(atoms)
}
