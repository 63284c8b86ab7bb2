package tautomer

import "strings"

// organic reads an atom without brackets.
func (r *reader) organic() bool {
	c := r.text[r.at]
	length := 1
	if r.at+1 < len(r.text) && (c == 'C' && r.text[r.at+1] == 'l' || c == 'B' && r.text[r.at+1] == 'r') {
		length = 2
	}
	low := c >= 'a'
	var number uint8
	switch c {
	case 'B', 'b':
		number = 5
		if length == 2 {
			number = 35
		}
	case 'C', 'c':
		number = carbon
		if length == 2 {
			number = 17
		}
	case 'N', 'n':
		number = nitrogen
	case 'O', 'o':
		number = oxygen
	case 'P', 'p':
		number = phosphorus
	case 'S', 's':
		number = sulfur
	case 'F':
		number = 9
	case 'I':
		number = 53
	case '*':
	default:
		return false
	}
	r.at += length
	return r.add(atom{number: number, aromatic: low, hydrogens: unknown})
}

// unknown marks hydrogens that follow from the valence.
const unknown = -1

// bracket reads an atom in brackets.
func (r *reader) bracket() bool {
	end := strings.IndexByte(r.text[r.at:], ']')
	if end < 2 {
		return false
	}
	inside := r.text[r.at+1 : r.at+end]
	r.at += end + 1
	length := 1
	if len(inside) > 1 && inside[1] >= 'a' && inside[1] <= 'z' && (inside[0] < 'a' || elements[strings.ToUpper(inside[:1])+inside[1:2]] != 0) {
		length = 2
	}
	a := atom{number: elements[strings.ToUpper(inside[:1])+inside[1:length]], aromatic: inside[0] >= 'a'}
	if a.number <= 1 && inside[0] != '*' {
		return false
	}
	rest := inside[length:]
	if strings.HasPrefix(rest, "@") {
		n := len(rest) - len(strings.TrimLeft(rest, "@"))
		a.chiral, rest = rest[:n], rest[n:]
		if n > 2 || rest != "" && rest[0] >= 'A' && rest[0] != 'H' {
			return false
		}
	}
	if strings.HasPrefix(rest, "H") {
		a.hydrogens, rest = 1, rest[1:]
		if rest != "" && digit(rest[0]) {
			a.hydrogens, rest = int8(rest[0]-'0'), rest[1:]
		}
	}
	for rest != "" && (rest[0] == '+' || rest[0] == '-') {
		sign := int8(44 - int(rest[0])) // '+' is 43, '-' is 45
		a.charge, rest = a.charge+sign, rest[1:]
		if rest != "" && digit(rest[0]) {
			a.charge, rest = sign*int8(rest[0]-'0'), rest[1:]
		}
	}
	return rest == "" && r.add(a)
}
