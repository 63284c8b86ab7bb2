package tautomer

// Legend: A atoms, E bonds, in the order of the SMILES.

// An atom is a heavy atom.
type atom struct {
	number    uint8 // of its element; 0: any
	charge    int8
	hydrogens int8
	pi        int8 // its bonds beyond single ones: 1 for =, 2 for # or two =
	aromatic  bool
	chiral    string // the mark @ or @@ with what follows it, or empty
	bonds     []int32
}

// A bond joins two atoms. Its order is that of a Kekulé structure.
type bond struct {
	a, b     int32
	order    int8
	aromatic bool // its order was not written
	slash    byte // / or \ before its second atom or ring closure; 0 without one
	opening  bool // the slash stands where the ring is opened
}

// A token is a part of the SMILES: an atom, the bond before an atom or a ring closure, or a parenthesis or dot.
type token struct {
	kind  byte   // 'a' atom, 'b' bond before an atom, 'o' and 'c' opening and closing of a ring, 't' text
	index int32  // of the atom or bond
	text  string // of a ring closure without its bond, or of 't'
}

// molecule is a SMILES, as a graph and as its tokens.
type molecule struct {
	atoms  []atom
	bonds  []bond
	tokens []token
}

// maxAtoms is the number of atoms above which a molecule is not read.
const maxAtoms = 300

// open is a ring that is not closed yet.
type open struct {
	atom, token int32
	order       int8
	slash       byte
}

// reader reads a SMILES.
type reader struct {
	*molecule
	text  string
	at    int
	last  int32 // the atom that the next bond begins at; −1 for none
	order int8  // written before the next atom; 0: none
	slash byte
	stack []int32
	rings [100]open
	count int     // of open rings
	room  []int32 // for the bonds of atoms
}

// usualDegree is the number of bonds for which an atom has room from the beginning.
const usualDegree = 4

// read reads a SMILES without isotopes, atom numbers and hydrogens as atoms, as a Kekulé structure. It returns false for
// any other one, and for one that it does not understand: RDKit, which reads all molecules afterwards, reports errors.
func read(text string) (*molecule, bool) {
	m, ok := parse(text)
	return m, ok && m.kekulize() && m.implicit()
}

// parse is read without a Kekulé structure.
func parse(text string) (*molecule, bool) {
	letters := 0
	for i := range len(text) {
		if c := text[i]; c >= 'A' && c != '[' && c != ']' && c != '\\' || c == '*' {
			letters++
		}
	}
	m := &molecule{atoms: make([]atom, 0, letters), bonds: make([]bond, 0, letters+letters/4), tokens: make([]token, 0, 2*len(text))}
	r := reader{molecule: m, text: text, last: -1, room: make([]int32, usualDegree*letters)}
	for r.at < len(text) {
		if !r.next() || len(r.atoms) > maxAtoms {
			return nil, false
		}
	}
	if r.count > 0 || len(r.stack) > 0 || r.order != 0 || len(r.atoms) == 0 {
		return nil, false
	}
	return m, true
}

func (r *reader) next() bool {
	c := r.text[r.at]
	switch c {
	case '(':
		if r.last < 0 {
			return false
		}
		r.stack = append(r.stack, r.last)
		return r.literal()
	case ')':
		n := len(r.stack)
		if n == 0 || r.order != 0 {
			return false
		}
		r.last, r.stack = r.stack[n-1], r.stack[:n-1]
		return r.literal()
	case '.':
		r.last = -1
		return r.order == 0 && r.literal()
	case '-', '=', '#', ':', '/', '\\':
		if r.order != 0 {
			return false
		}
		switch c {
		case '=':
			r.order = 2
		case '#':
			r.order = 3
		case ':':
			r.order = aromatic
		default:
			r.order = 1
			if c != '-' {
				r.slash = c
			}
		}
		r.at++
		return true
	case '%':
		if r.at+2 >= len(r.text) || !digit(r.text[r.at+1]) || !digit(r.text[r.at+2]) {
			return false
		}
		return r.ring(int(r.text[r.at+1]-'0')*10+int(r.text[r.at+2]-'0'), 3)
	case '[':
		return r.bracket()
	}
	if digit(c) {
		return r.ring(int(c-'0'), 1)
	}
	return r.organic()
}

// aromatic is the order of a bond that is not written between aromatic atoms, until the molecule is kekulized.
const aromatic = 4

func digit(c byte) bool { return c >= '0' && c <= '9' }

// literal adds a parenthesis or a dot.
func (r *reader) literal() bool {
	r.tokens = append(r.tokens, token{kind: 't', text: r.text[r.at : r.at+1]})
	r.at++
	return true
}

// add adds an atom with the bond before it.
func (r *reader) add(a atom) bool {
	i := int32(len(r.atoms))
	if len(r.room) >= usualDegree {
		a.bonds, r.room = r.room[:0:usualDegree], r.room[usualDegree:]
	}
	r.atoms = append(r.atoms, a)
	if r.last >= 0 {
		r.tokens = append(r.tokens, token{kind: 'b', index: int32(len(r.bonds))})
		r.join(r.last, i, r.order, r.slash, false)
	} else if r.order != 0 {
		return false
	}
	r.tokens = append(r.tokens, token{kind: 'a', index: i})
	r.last, r.order, r.slash = i, 0, 0
	return true
}

// join adds a bond.
func (r *reader) join(a, b int32, order int8, slash byte, opening bool) {
	if order == 0 {
		order = 1
		if r.atoms[a].aromatic && r.atoms[b].aromatic {
			order = aromatic
		}
	}
	k := int32(len(r.bonds))
	r.bonds = append(r.bonds, bond{a: a, b: b, order: order, aromatic: order == aromatic, slash: slash, opening: opening})
	r.atoms[a].bonds, r.atoms[b].bonds = append(r.atoms[a].bonds, k), append(r.atoms[b].bonds, k)
}

// ring opens or closes a ring. The number has length characters.
func (r *reader) ring(number, length int) bool {
	if r.last < 0 {
		return false
	}
	text := r.text[r.at : r.at+length]
	r.at += length
	o := &r.rings[number]
	if o.token == 0 {
		*o = open{atom: r.last, token: int32(len(r.tokens)), order: r.order, slash: r.slash}
		r.tokens = append(r.tokens, token{kind: 'o', index: -1, text: text})
		r.count++
	} else {
		order, slash := o.order, o.slash
		if order == 0 {
			order = r.order
		}
		if slash != 0 && r.slash != 0 || o.atom == r.last || r.order != 0 && r.order != order {
			return false
		}
		k := int32(len(r.bonds))
		r.tokens[o.token].index = k
		r.tokens = append(r.tokens, token{kind: 'c', index: k, text: text})
		if slash == 0 {
			r.join(o.atom, r.last, order, r.slash, false)
		} else {
			r.join(o.atom, r.last, order, slash, true)
		}
		*o = open{}
		r.count--
	}
	r.order, r.slash = 0, 0
	return true
}
