package rdkit

import (
	"cmp"
	"context"
	"slices"
)

// ParseAll parses many SMILES, and calls take with each molecule or error, in order. A molecule is
// valid until take returns. After ctx is done, the remaining molecules have the context's
// error.
//
// Plain molecules are parsed in this process, which is faster than a question to another process. All
// others are parsed by RDKit in other processes.
func (p *Parser) ParseAll(ctx context.Context, smiles []string, take func(i int, m Mol, err error)) {
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
		questions, at = append(questions, question{kind: askParse, a: p.how(), text: text}), append(at, i)
	}
	next := 0
	settle := func(until int) {
		for ; next < until; next++ {
			take(next, known[next], unfit[next])
		}
	}
	reader.Load().ask(ctx, questions, func(i int, answer []byte, err error) {
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

// how returns the parameter of a question of the kind askParse.
func (p *Parser) how() (sum int32) {
	if p.Counts {
		sum |= parseCounts
	}
	if p.Bare {
		sum |= parseBare
	}
	return sum
}

// kept stores plain molecules until earlier ones, which another process reads, are available.
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
