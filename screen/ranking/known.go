package ranking

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"pacia/data/rdkit"
)

// Known finds molecules of a table of labelled ones; their SMILES may differ. Several goroutines may use it. A nil
// Known contains no molecule.
//
// Making a canonical SMILES takes longer than all other work on a candidate. It is therefore
// made only for molecules that have the same heavy atoms as a labelled molecule. If only one labelled molecule
// has these atoms and its SMILES is identical, no canonical SMILES is made.
type Known struct{ groups map[uint64]*group }

// A group is the labelled molecules of one composition.
type group struct {
	written map[string]Mark // by their SMILES as written

	compare   sync.Once
	canonical map[string]Mark // by canonical SMILES; made from written when it is first needed
}

// KnownOf returns the Known of all labelled rows of s, including those that were left out because
// other rows contradict them.
func KnownOf(s *Support) *Known {
	var smiles []string
	var labels []uint8
	for _, row := range s.Rows {
		if row.reason == nil {
			smiles, labels = append(smiles, row.SMILES), append(labels, row.Label)
		}
	}
	return knownOf(smiles, labels)
}

func knownOf(all []string, labels []uint8) *Known {
	k := &Known{groups: map[uint64]*group{}}
	for i, smiles := range all {
		of := composition(smiles)
		g := k.groups[of]
		if g == nil {
			g = &group{written: map[string]Mark{}}
			k.groups[of] = g
		}
		g.written[smiles] |= InSupportInactive << labels[i]
	}
	return k
}

// Mark returns the labels of a molecule in the table, 0 if it is not in the table.
func (k *Known) Mark(ctx context.Context, smiles string) Mark {
	if k == nil {
		return 0
	}
	g := k.groups[composition(smiles)]
	if g == nil {
		return 0
	}
	if mark, alike := g.written[smiles]; alike && len(g.written) == 1 {
		return mark
	}
	g.compare.Do(func() {
		g.canonical = map[string]Mark{}
		for written, mark := range g.written {
			if canonical, err := rdkit.Canonical(context.Background(), written); err == nil { // otherwise the model's parser reports the error
				g.canonical[canonical] |= mark
			}
		}
	})
	canonical, err := rdkit.Canonical(ctx, smiles)
	if err != nil {
		return 0
	}
	return g.canonical[canonical]
}

// composition returns a hash of the heavy atoms in a SMILES: the sum of a number for each atom. It is the same
// for all SMILES of a molecule.
func composition(smiles string) uint64 {
	var sum uint64
	smiles, _, _ = strings.Cut(strings.TrimSpace(smiles), " ") // an extension or a name may follow
	for i := 0; i < len(smiles); i++ {
		c := smiles[i]
		var next byte
		if i+1 < len(smiles) {
			next = smiles[i+1]
		}
		switch {
		case c == '[':
			length := strings.IndexByte(smiles[i:], ']')
			if length < 0 {
				return sum
			}
			sum += element(smiles[i+1 : i+length])
			i += length
		case c == 'C' && next == 'l', c == 'B' && next == 'r':
			sum += atom(c, next)
			i++
		case c == '%': // the digits of a ring closure
			i += 2
		case c >= 'A' && c <= 'Z', c == '*':
			sum += atom(c, 0)
		case c >= 'a' && c <= 'z':
			sum += atom(c-'a'+'A', 0)
		}
	}
	return sum
}

// element returns the number of the atom in a bracket, such as 13CH3 or nH; 0 for hydrogen.
func element(bracket string) uint64 {
	bracket = strings.TrimLeft(bracket, "0123456789")
	if bracket == "" {
		return 0
	}
	c := bracket[0]
	var next byte
	if len(bracket) > 1 && bracket[1] >= 'a' && bracket[1] <= 'z' {
		next = bracket[1]
	}
	if c >= 'a' && c <= 'z' {
		c -= 'a' - 'A'
	}
	if c == 'H' && next == 0 {
		return 0
	}
	return atom(c, next)
}

// atom mixes the letters of an element's symbol (the finalizer of splitmix64).
func atom(first, second byte) uint64 {
	x := uint64(first)<<8 | uint64(second)
	x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Changed describes how many molecules of a support set are not in k, the molecules of a file.
func (k *Known) Changed(ctx context.Context, s *Support, file string) string {
	var found [2]int
	for i, smiles := range s.SMILES {
		if k.Mark(ctx, smiles) == 0 {
			found[s.Labels[i]]++
		}
	}
	return fmt.Sprintf("%d more molecules than in %s, %d of them active", found[0]+found[1], file, found[1])
}
