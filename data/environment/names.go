package environment

import (
	"bytes"
	"cmp"
	"crypto/sha256"
)

// Legend: R_l classes of level l, E_l their bonds.

// Name identifies a class of atoms in any batch: the first bytes of a digest of the
// environment that its atoms share.
type Name [16]byte

// Identify names the classes of Levels and sorts the bonds of each by their
// categories, then by the neighbours' names. A sum over neighbours then has the same
// order, and bit for bit the same result, in every batch.
func (e *Classes) Identify() {
	for len(e.Names) < len(e.Levels) {
		e.Names = append(e.Names, nil)
	}
	e.Names = e.Names[:len(e.Levels)]
	var text []byte
	for l := range e.Levels {
		level, names := &e.Levels[l], e.Names[l][:0]
		for c := range level.Len() {
			text = append(text[:0], byte(l))
			if l == 0 {
				text = append(text, level.Atoms[2*c:2*c+2]...)
			} else {
				level.arrange(c, e.Names[l-1])
				text = level.describe(c, e.Names[l-1], text)
			}
			digest := sha256.Sum256(text)
			names = append(names, Name(digest[:]))
		}
		e.Names[l] = names
	}
}

// arrange sorts the bonds of a class by insertion, since there are few.
func (l *Level) arrange(class int, below []Name) {
	first := l.RowPtr[class]
	for i := first + 1; i < l.RowPtr[class+1]; i++ {
		for k := i; k > first && l.compare(k-1, k, below) > 0; k-- {
			l.Col[k-1], l.Col[k] = l.Col[k], l.Col[k-1]
			for c := range int32(2) {
				l.Bond[2*(k-1)+c], l.Bond[2*k+c] = l.Bond[2*k+c], l.Bond[2*(k-1)+c]
			}
		}
	}
}

func (l *Level) compare(i, k int32, below []Name) int {
	if l.Col[i] == l.Col[k] {
		return bytes.Compare(l.Bond[2*i:2*i+2], l.Bond[2*k:2*k+2])
	}
	return cmp.Or(bytes.Compare(l.Bond[2*i:2*i+2], l.Bond[2*k:2*k+2]),
		bytes.Compare(below[l.Col[i]][:], below[l.Col[k]][:]))
}

// describe appends the definition of a class: its class at the level below, and its bonds.
func (l *Level) describe(class int, below []Name, text []byte) []byte {
	text = append(text, below[l.Self[class]][:]...)
	for k := l.RowPtr[class]; k < l.RowPtr[class+1]; k++ {
		text = append(text, l.Bond[2*k:2*k+2]...)
		text = append(text, below[l.Col[k]][:]...)
	}
	return text
}
