package rdkit

import (
	"encoding/binary"
	"errors"
)

var errAnswer = errors.New("an answer of the wrong length")

// take parses an answer; see ask.h. The molecule is valid until the next call.
func (p *Parser) take(from []byte) (Mol, error) {
	c := cursor{from: from}
	atoms, bonds, bits := c.size(), c.size(), c.size()
	if len(c.from) != atoms+bonds+4*bonds+4*bits || bits > CountsLength {
		return Mol{}, errAnswer
	}
	p.reserve(max(atoms, bonds)/2 + 1)
	m := Mol{Atoms: p.atoms[:atoms], Bonds: p.bonds[:bonds], Ends: p.ends[:bonds]}
	copy(m.Atoms, c.bytes(atoms))
	copy(m.Bonds, c.bytes(bonds))
	for i := range m.Ends {
		m.Ends[i] = int32(c.uint32())
	}
	if p.Counts {
		m.Counts = p.counts.first(bits)
		c.fill(m.Counts)
	}
	return m, nil
}

// cursor reads an answer. Numbers beyond its end are 0.
type cursor struct{ from []byte }

func (c *cursor) bytes(n int) []byte {
	n = max(0, min(n, len(c.from)))
	b := c.from[:n]
	c.from = c.from[n:]
	return b
}

func (c *cursor) uint32() uint32 {
	b := c.bytes(4)
	if len(b) < 4 {
		return 0
	}
	return binary.LittleEndian.Uint32(b)
}

func (c *cursor) size() int { return int(c.uint32()) }

// ints returns n numbers, or fewer at the end of the answer.
func (c *cursor) ints(n int) []int32 {
	b := c.bytes(4 * n)
	list := make([]int32, len(b)/4)
	for i := range list {
		list[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return list
}

// counts returns a fingerprint with n counts that are not 0.
func (c *cursor) counts(n int) Counts {
	to := Counts{make([]uint16, n), make([]uint16, n)}
	c.fill(to)
	return to
}

func (c *cursor) fill(to Counts) {
	for _, list := range [][]uint16{to.Bit, to.Count} {
		b := c.bytes(2 * len(list))
		for i := range list {
			list[i] = binary.LittleEndian.Uint16(b[2*i:])
		}
	}
}
