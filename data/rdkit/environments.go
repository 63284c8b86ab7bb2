package rdkit

import "context"

// An Environment is an atom environment that a fingerprint counts: an atom with its neighbourhood up to two bonds away.
type Environment struct {
	Name  uint32  // a hash, which is the same for equal environments in all molecules
	Atoms []int32 // indices in the order of the SMILES; the central atom first
}

// Bit returns the bit of the fingerprint that counts the environment.
func (s Environment) Bit() uint16 { return uint16(s.Name % CountsLength) }

// Environments returns the number of atoms of a molecule, and all environments that its
// [Counts] count: for each bit as many as its count. It refuses what [Parser.Parse]
// refuses.
func Environments(ctx context.Context, smiles string) (atoms int, all []Environment, err error) {
	if err := check(smiles); err != nil {
		return 0, nil, err
	}
	answer, err := question{kind: askEnvironments, text: smiles}.ask(ctx)
	if err != nil {
		return 0, nil, err
	}
	c := cursor{from: answer}
	return environmentsOf(c.ints(len(answer) / 4))
}

func environmentsOf(list []int32) (atoms int, all []Environment, err error) {
	if len(list) == 0 || list[0] < 0 || list[0] > MaxAtoms {
		return 0, nil, errAnswer
	}
	atoms, list = int(list[0]), list[1:]
	for len(list) > 0 {
		if len(list) < 2 || list[1] < 1 || int(list[1]) > len(list)-2 {
			return 0, nil, errAnswer
		}
		s := Environment{Name: uint32(list[0]), Atoms: list[2 : 2+list[1]]}
		for _, a := range s.Atoms {
			if a < 0 || int(a) >= atoms {
				return 0, nil, errAnswer
			}
		}
		all, list = append(all, s), list[2+list[1]:]
	}
	return atoms, all, nil
}
