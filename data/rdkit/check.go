package rdkit

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// check refuses text that must not reach RDKit: empty text, characters that are not
// part of SMILES, and molecules that would take minutes.
func check(smiles string) error {
	if strings.TrimSpace(smiles) == "" {
		return errors.New("empty SMILES")
	}
	if len(smiles) > MaxSMILES {
		return fmt.Errorf("SMILES of %d characters, more than %d", len(smiles), MaxSMILES)
	}
	if err := checkCharacters(smiles); err != nil {
		return err
	}
	if n := heavyAtoms(smiles); n > MaxAtoms {
		return fmt.Errorf("%d atoms, more than %d", n, MaxAtoms)
	}
	return nil
}

// checkCharacters refuses control characters, and in the SMILES all characters that are
// not ASCII: RDKit interprets such a byte as the end of the text, and reads another
// molecule. A name after the SMILES may have any letters.
func checkCharacters(smiles string) error {
	begun, named := false, false
	for i := range len(smiles) {
		c := smiles[i]
		switch {
		case c == ' ':
			named = begun
			continue
		case c < ' ' || c == 0x7f:
			return fmt.Errorf("control character %#02x at position %d", c, 1+utf8.RuneCountInString(smiles[:i]))
		case c >= utf8.RuneSelf && !named:
			return notASCII(smiles, i)
		}
		begun = true
	}
	return nil
}

// lookAlikes are characters that word processors and foreign keyboards write in place
// of similar ones of SMILES.
var lookAlikes = map[rune]rune{
	'\u2010': '-', '\u2011': '-', '\u2012': '-', '\u2013': '-', '\u2014': '-', '\u2212': '-', '\uff0d': '-', '\u00ad': '-',
	'\uff0b': '+', '\uff1d': '=', '\uff03': '#', '\uff08': '(', '\uff09': ')', '\uff3b': '[', '\uff3d': ']', '\uff20': '@', '\u2215': '/',
	'\u0412': 'B', '\u0421': 'C', '\u041d': 'H', '\u041e': 'O', '\u0420': 'P', '\u0405': 'S', '\u0406': 'I',
	'\u0441': 'c', '\u043e': 'o', '\u0440': 'p', '\u0455': 's',
	'\u0392': 'B', '\u0397': 'H', '\u0399': 'I', '\u039d': 'N', '\u039f': 'O', '\u03bf': 'o',
}

// notASCII returns the error for the character at byte i.
func notASCII(smiles string, i int) error {
	at := 1 + utf8.RuneCountInString(smiles[:i])
	r, size := utf8.DecodeRuneInString(smiles[i:])
	switch like, known := lookAlikes[r]; {
	case r == utf8.RuneError && size == 1:
		return fmt.Errorf("byte %#02x at position %d is not a character of a SMILES", smiles[i], at)
	case known:
		return fmt.Errorf("%q (%U) at position %d is not a character of a SMILES; it looks like %q", r, r, at, like)
	case unicode.IsSpace(r):
		return fmt.Errorf("a space of another kind (%U) at position %d", r, at)
	}
	return fmt.Errorf("%q (%U) at position %d is not a character of a SMILES", r, r, at)
}

// heavyAtoms counts the atoms in a SMILES, without explicit hydrogens, which RDKit
// removes. The count of a malformed SMILES is at most one too small. heavyAtoms ignores
// everything else, so that its cost is negligible compared with parsing.
func heavyAtoms(smiles string) int {
	smiles = strings.TrimLeft(smiles, " ")
	n := 0
	for i := 0; i < len(smiles) && smiles[i] != ' '; i++ {
		switch c := smiles[i]; c {
		case '[':
			length := strings.IndexByte(smiles[i:], ']')
			if length < 0 {
				return n
			}
			if smiles[i:i+length] != "[H" {
				n++
			}
			i += length
		case 'B', 'C', 'N', 'O', 'P', 'S', 'F', 'I', 'b', 'c', 'n', 'o', 'p', 's', '*':
			n++ // the r of Br and the l of Cl are not atoms of their own
		}
	}
	return n
}
