package tautomer

import (
	"strconv"
	"strings"
)

// write writes the molecule as a SMILES with the atoms in their order, as a Kekulé structure. Marks of stereochemistry
// stay at the atoms, and at single bonds beside double bonds that were there before.
func (m *molecule) write(was []bond) string {
	var b strings.Builder
	b.Grow(3 * len(m.tokens))
	for _, t := range m.tokens {
		switch t.kind {
		case 't':
			b.WriteString(t.text)
		case 'a':
			m.writeAtom(&b, t.index)
		case 'b':
			m.writeBond(&b, t.index, was, true)
		case 'o':
			m.writeBond(&b, t.index, was, m.bonds[t.index].opening || m.bonds[t.index].slash == 0)
			b.WriteString(t.text)
		case 'c':
			if k := &m.bonds[t.index]; k.slash != 0 && !k.opening {
				m.writeBond(&b, t.index, was, true)
			}
			b.WriteString(t.text)
		}
	}
	return b.String()
}

// writeBond writes the sign of a bond. here tells whether this is the place of its slash.
func (m *molecule) writeBond(to *strings.Builder, k int32, was []bond, here bool) {
	b := &m.bonds[k]
	switch {
	case b.order == 2:
		if here {
			to.WriteByte('=')
		}
	case b.order == 3:
		if here {
			to.WriteByte('#')
		}
	case b.slash != 0 && here && was[k].order == 1 && m.keeps(b, was):
		to.WriteByte(b.slash)
	}
}

// keeps reports whether a double bond beside b is where it was.
func (m *molecule) keeps(b *bond, was []bond) bool {
	for _, a := range [2]int32{b.a, b.b} {
		for _, k := range m.atoms[a].bonds {
			if m.bonds[k].order == 2 && was[k].order == 2 {
				return true
			}
		}
	}
	return false
}

func (m *molecule) writeAtom(to *strings.Builder, i int32) {
	a := &m.atoms[i]
	if a.number == 0 && a.charge == 0 && a.hydrogens == 0 {
		to.WriteByte('*')
		return
	}
	symbol := "*"
	if a.number > 0 {
		symbol = symbols[a.number-1]
	}
	sum := int8(len(a.bonds)) + a.pi
	if a.charge == 0 && a.chiral == "" {
		for _, v := range valences(a.number) {
			if v >= sum {
				if v-sum != a.hydrogens {
					break
				}
				to.WriteString(symbol)
				return
			}
		}
	}
	to.WriteByte('[')
	to.WriteString(symbol)
	to.WriteString(a.chiral)
	if a.hydrogens > 0 {
		to.WriteByte('H')
		if a.hydrogens > 1 {
			to.WriteString(strconv.Itoa(int(a.hydrogens)))
		}
	}
	if a.charge != 0 {
		sign, n := byte('+'), int(a.charge)
		if n < 0 {
			sign, n = '-', -n
		}
		to.WriteByte(sign)
		if n > 1 {
			to.WriteString(strconv.Itoa(n))
		}
	}
	to.WriteByte(']')
}
