package rdkit

import (
	"cmp"
	"context"
)

// ParseAll parses many, and gives each molecule, or the reason why there is none, to
// take, in order: the molecule is valid until take returns. Once ctx is done, that is
// the reason of those that are left.
func (p *Parser) ParseAll(ctx context.Context, smiles []string, take func(i int, m Mol, err error)) {
	if elsewhere := apart.Load(); elsewhere != nil {
		p.apart(ctx, elsewhere, smiles, take)
		return
	}
	for i, text := range smiles {
		if err := ctx.Err(); err != nil {
			take(i, Mol{}, err)
			continue
		}
		m, err := p.here(text)
		take(i, m, err)
	}
}

// apart lets other processes parse what needs RDKit. What does not, a plain molecule, is
// read here, faster than it is asked for.
func (p *Parser) apart(ctx context.Context, elsewhere *pool, smiles []string, take func(i int, m Mol, err error)) {
	how := int32(0)
	if p.Counts {
		how |= parseCounts
	}
	if p.Bare {
		how |= parseBare
	}
	p.known.clear()
	questions, at := make([]question, 0, len(smiles)), make([]int, 0, len(smiles))
	unfit := make([]error, len(smiles))
	for i, text := range smiles {
		var m Mol
		if unfit[i] = cmp.Or(ctx.Err(), check(text)); unfit[i] == nil {
			var ok bool
			if m, ok = p.plain(text); !ok {
				questions, at = append(questions, question{kind: askParse, a: how, text: text}), append(at, i)
				m = Mol{}
			}
		}
		p.known.add(m)
	}
	next := 0
	settle := func(until int) {
		for ; next < until; next++ {
			take(next, p.known.of(next), unfit[next])
		}
	}
	elsewhere.ask(ctx, questions, func(i int, answer []byte, err error) {
		settle(at[i])
		next++
		var m Mol
		if err == nil {
			m, err = p.take(answer)
		}
		take(at[i], m, err)
	})
	settle(len(smiles))
}

// known holds molecules one after the other, and where each begins.
type known struct {
	all                Mol
	atoms, bonds, bits []int
}

func (k *known) clear() {
	k.all = Mol{k.all.Atoms[:0], k.all.Ends[:0], k.all.Bonds[:0], Counts{k.all.Counts.Bit[:0], k.all.Counts.Count[:0]}}
	k.atoms, k.bonds, k.bits = append(k.atoms[:0], 0), append(k.bonds[:0], 0), append(k.bits[:0], 0)
}

func (k *known) add(m Mol) {
	a := &k.all
	a.Atoms, a.Ends, a.Bonds = append(a.Atoms, m.Atoms...), append(a.Ends, m.Ends...), append(a.Bonds, m.Bonds...)
	a.Counts.Bit, a.Counts.Count = append(a.Counts.Bit, m.Counts.Bit...), append(a.Counts.Count, m.Counts.Count...)
	k.atoms, k.bonds, k.bits = append(k.atoms, len(a.Atoms)), append(k.bonds, len(a.Bonds)), append(k.bits, len(a.Counts.Bit))
}

// of returns molecule i.
func (k *known) of(i int) Mol {
	atom, atoms := k.atoms[i], k.atoms[i+1]
	bond, bonds := k.bonds[i], k.bonds[i+1]
	bit, bits := k.bits[i], k.bits[i+1]
	return Mol{
		k.all.Atoms[atom:atoms:atoms], k.all.Ends[bond:bonds:bonds], k.all.Bonds[bond:bonds:bonds],
		Counts{k.all.Counts.Bit[bit:bits:bits], k.all.Counts.Count[bit:bits:bits]},
	}
}
