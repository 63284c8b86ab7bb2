package rdkit

import (
	"cmp"
	"context"
	"slices"
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
	p.kept.clear()
	questions, at := make([]question, 0, len(smiles)), make([]int, 0, len(smiles))
	known, unfit := make([]Mol, len(smiles)), make([]error, len(smiles))
	for i, text := range smiles {
		if unfit[i] = cmp.Or(ctx.Err(), check(text)); unfit[i] != nil {
			continue
		}
		if m, ok := p.plain(text); ok {
			known[i] = p.kept.keep(m)
			continue
		}
		questions, at = append(questions, question{kind: askParse, a: how, text: text}), append(at, i)
	}
	next := 0
	settle := func(until int) {
		for ; next < until; next++ {
			take(next, known[next], unfit[next])
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

// kept is room for molecules that wait for others, which another process reads.
type kept Mol

func (k *kept) clear() {
	*k = kept{k.Atoms[:0], k.Ends[:0], k.Bonds[:0], Counts{k.Counts.Bit[:0], k.Counts.Count[:0]}}
}

func (k *kept) keep(m Mol) Mol {
	return Mol{keep(&k.Atoms, m.Atoms), keep(&k.Ends, m.Ends), keep(&k.Bonds, m.Bonds), Counts{keep(&k.Counts.Bit, m.Counts.Bit), keep(&k.Counts.Count, m.Counts.Count)}}
}

func keep[T any](room *[]T, of []T) []T {
	from := len(*room)
	*room = append(*room, of...)
	return slices.Clip((*room)[from:])
}
