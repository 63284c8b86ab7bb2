package table

import (
	"slices"
	"strings"

	"pacia/data/rdkit"
)

// smilesLike reports whether a text consists of the characters of SMILES, with balanced
// brackets.
func smilesLike(text string) bool {
	depth, atoms := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '[':
			length := strings.IndexByte(text[i:], ']')
			if length < 2 {
				return false
			}
			i += length
			atoms++
		case 'B', 'C', 'N', 'O', 'P', 'S', 'F', 'I', 'b', 'c', 'n', 'o', 'p', 's', '*':
			if i+1 < len(text) && (c == 'C' && text[i+1] == 'l' || c == 'B' && text[i+1] == 'r') {
				i++
			}
			atoms++
		case '(':
			depth++
		case ')':
			depth--
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '%', '-', '=', '#', '$', ':', '/', '\\', '.', '~', '@', '+':
		default:
			return false
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0 && atoms > 0
}

// bare returns a cell without the extension between bars that may follow a SMILES.
func bare(cell string) string {
	cell = strings.TrimSpace(cell)
	if at := strings.IndexAny(cell, " \t"); at > 0 {
		if rest := strings.TrimSpace(cell[at:]); len(rest) > 1 && rest[0] == '|' && rest[len(rest)-1] == '|' {
			return cell[:at]
		}
	}
	return cell
}

// molecules caches which cells are molecules.
type molecules map[string]bool

func (m molecules) has(cell string) bool {
	is, known := m[cell]
	if known {
		return is
	}
	if text := bare(cell); smilesLike(text) {
		_, err := rdkit.Parse(text)
		is = err == nil
	}
	m[cell] = is
	return is
}

// among reports whether one of a row's cells is a molecule of at least three characters.
func (m molecules) among(row []string) bool {
	return slices.ContainsFunc(row, func(cell string) bool { return len(cell) > 2 && m.has(cell) })
}

// in counts the cells of a column that are not empty, those that are molecules, and those that are
// certainly molecules because they have more than four characters. CN, for example, may be something else.
func (m molecules) in(rows [][]string, column int) (filled, read, certain int) {
	for _, row := range rows {
		if column >= len(row) || strings.TrimSpace(row[column]) == "" {
			continue
		}
		filled++
		if m.has(row[column]) {
			read++
			if len(strings.TrimSpace(row[column])) > 4 {
				certain++
			}
		}
	}
	return filled, read, certain
}

// held reports whether a column contains molecules. At least seven tenths of its cells must be molecules. Also
// one of them must certainly be a molecule, or all cells must be molecules and there are fewer than three
// rows, at least three different cells, or no other column.
func (m molecules) held(rows [][]string, column int) bool {
	filled, read, certain := m.in(rows, column)
	if read*10 < filled*7 || read == 0 {
		return false
	}
	return certain > 0 || filled == read && (len(rows) < 3 || differ(rows, column) || !slices.ContainsFunc(rows, func(row []string) bool { return len(row) > 1 }))
}

// differ reports whether a column has three or more different cells, unlike a column of flags such as N and
// F.
func differ(rows [][]string, column int) bool {
	seen := map[string]bool{}
	for _, row := range rows {
		if column < len(row) {
			seen[strings.TrimSpace(row[column])] = true
		}
	}
	delete(seen, "")
	return len(seen) > 2
}

// Meant reports whether a cell is meant as a molecule: it is a SMILES, or looks like one with an
// error.
func Meant(cell string) bool {
	text := bare(cell)
	if at := strings.IndexByte(text, ' '); at > 0 {
		if text = text[:at]; text == "*" { // a footnote, and not a SMILES with a name
			return false
		}
	}
	return smilesLike(text) || broken(text)
}
