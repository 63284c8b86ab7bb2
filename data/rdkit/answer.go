package rdkit

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Bits of a question that asks for a molecule.
const (
	parseCounts = 1 << iota
	parseBare
)

var errAnswer = errors.New("an answer that is too short")

// append writes a molecule for [Mol.take]: sizes, then the arrays.
func (m *Mol) append(to []byte) []byte {
	to = appendSizes(to, len(m.Atoms), len(m.Bonds), len(m.Counts.Bit))
	to = append(append(to, m.Atoms...), m.Bonds...)
	for _, end := range m.Ends {
		to = binary.LittleEndian.AppendUint32(to, uint32(end))
	}
	return m.Counts.append(to)
}

// take reads a molecule into the room of a Parser.
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
		c.counts(m.Counts)
	}
	return m, nil
}

func (c Counts) append(to []byte) []byte {
	for _, list := range [][]uint16{c.Bit, c.Count} {
		for _, v := range list {
			to = binary.LittleEndian.AppendUint16(to, v)
		}
	}
	return to
}

// append writes a molecule for [takeKekule].
func (k *Kekule) append(to []byte) []byte {
	to = appendSizes(to, len(k.Atoms), len(k.Types), len(k.Counts.Bit))
	for _, a := range k.Atoms {
		ring := 0
		if a.InRing {
			ring = 1
		}
		to = appendSizes(to, len(a.Symbol), a.Number, a.Charge, a.Degree, a.Radicals, ring)
		to = append(to, a.Symbol...)
	}
	for _, end := range k.Ends {
		to = binary.LittleEndian.AppendUint32(to, uint32(end))
	}
	return k.Counts.append(append(to, k.Types...))
}

func takeKekule(from []byte, counts bool) (Kekule, error) {
	c := cursor{from: from}
	atoms, bonds, bits := c.size(), c.size(), c.size()
	if max(atoms, bonds, bits) > len(from) {
		return Kekule{}, errAnswer
	}
	k := Kekule{Atoms: make([]KekuleAtom, atoms), Ends: make([]int32, 2*bonds)}
	for i := range k.Atoms {
		symbol := c.size()
		number, charge, degree, radicals, ring := c.size(), int(int32(c.uint32())), c.size(), c.size(), c.size()
		k.Atoms[i] = KekuleAtom{string(c.bytes(symbol)), number, charge, degree, radicals, ring != 0}
	}
	for i := range k.Ends {
		k.Ends[i] = int32(c.uint32())
	}
	k.Types = slices.Clone(c.bytes(bonds))
	if len(c.from) != 4*bits {
		return Kekule{}, errAnswer
	}
	if counts {
		k.Counts = Counts{make([]uint16, bits), make([]uint16, bits)}
		c.counts(k.Counts)
	}
	return k, nil
}

func appendSizes(to []byte, sizes ...int) []byte {
	for _, n := range sizes {
		to = binary.LittleEndian.AppendUint32(to, uint32(n))
	}
	return to
}

// cursor reads an answer. What is not there is 0.
type cursor struct{ from []byte }

func (c *cursor) bytes(n int) []byte {
	n = min(n, len(c.from))
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

func (c *cursor) counts(to Counts) {
	for _, list := range [][]uint16{to.Bit, to.Count} {
		b := c.bytes(2 * len(list))
		for i := range list {
			list[i] = binary.LittleEndian.Uint16(b[2*i:])
		}
	}
}
