package rdkit

import "context"

// A Surrounding is what a fingerprint counts: an atom and what lies around it, up to two bonds away.
type Surrounding struct {
	Name  uint32  // of all surroundings that are like it, in any molecule, by a hash
	Atoms []int32 // in the order of the SMILES, the one in the middle first
}

// Bit is where the fingerprint counts it.
func (s Surrounding) Bit() uint16 { return uint16(s.Name % CountsLength) }

// Surroundings returns how many atoms a molecule has, in the order of its SMILES, and what its
// [Counts] count: as many surroundings of each bit as its count. Refused is what [Parser.Parse]
// refuses.
func Surroundings(ctx context.Context, smiles string) (atoms int, all []Surrounding, err error) {
	if err := check(smiles); err != nil {
		return 0, nil, err
	}
	answer, err := question{kind: askSurroundings, text: smiles}.ask(ctx)
	if err != nil {
		return 0, nil, err
	}
	c := cursor{from: answer}
	return surroundingsOf(c.ints(len(answer) / 4))
}

func surroundingsOf(list []int32) (atoms int, all []Surrounding, err error) {
	if len(list) == 0 || list[0] < 0 || list[0] > MaxAtoms {
		return 0, nil, errAnswer
	}
	atoms, list = int(list[0]), list[1:]
	for len(list) > 0 {
		if len(list) < 2 || list[1] < 1 || int(list[1]) > len(list)-2 {
			return 0, nil, errAnswer
		}
		s := Surrounding{Name: uint32(list[0]), Atoms: list[2 : 2+list[1]]}
		for _, a := range s.Atoms {
			if a < 0 || int(a) >= atoms {
				return 0, nil, errAnswer
			}
		}
		all, list = append(all, s), list[2+list[1]:]
	}
	return atoms, all, nil
}
