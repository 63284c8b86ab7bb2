package rdkit

/*
#include "parse.h"
*/
import "C"

import (
	"cmp"
	"context"
	"unsafe"
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

// apart lets other processes parse what needs RDKit. What does not, a fingerprint of a
// plain molecule, is made here, faster than it is asked for.
func (p *Parser) apart(ctx context.Context, elsewhere *pool, smiles []string, take func(i int, m Mol, err error)) {
	how := int32(0)
	if p.Counts {
		how |= parseCounts
	}
	if p.Bare {
		how |= parseBare
	}
	known := make([]int, 0, len(smiles)+1) // where the fingerprint of each begins, in p.known
	p.known.Bit, p.known.Count = p.known.Bit[:0], p.known.Count[:0]
	questions, at := make([]question, 0, len(smiles)), make([]int, 0, len(smiles))
	unfit := make([]error, len(smiles))
	for i, text := range smiles {
		known = append(known, len(p.known.Bit))
		if unfit[i] = cmp.Or(ctx.Err(), check(text)); unfit[i] != nil {
			continue
		}
		if p.Bare && p.Counts && p.plain(text) {
			continue
		}
		questions, at = append(questions, question{kind: askParse, a: how, text: text}), append(at, i)
	}
	known = append(known, len(p.known.Bit))
	next := 0
	settle := func(until int) {
		for ; next < until; next++ {
			from, to := known[next], known[next+1]
			take(next, Mol{Counts: Counts{p.known.Bit[from:to:to], p.known.Count[from:to:to]}}, unfit[next])
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

// plain appends the fingerprint of a plain molecule to those that are known, and says
// whether it is one.
func (p *Parser) plain(smiles string) bool {
	p.reserve(0)
	w := &p.written
	if C.pacia_rdkit_plain((*C.char)(unsafe.Pointer(unsafe.StringData(smiles))), C.int32_t(len(smiles)),
		(*C.uint16_t)(&p.counts.Bit[0]), (*C.uint16_t)(&p.counts.Count[0]), &w.bits) != C.PACIA_PARSE_OK {
		return false
	}
	made := p.counts.first(int(w.bits))
	p.known.Bit, p.known.Count = append(p.known.Bit, made.Bit...), append(p.known.Count, made.Count...)
	return true
}
