package table

import (
	"slices"
	"strings"

	"pacia/data/rdkit"
)

// smilesLike reports whether a text has the letters and signs of a SMILES alone, with its
// brackets in pairs.
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

// bare is a cell without an extension between bars, which may follow a SMILES.
func bare(cell string) string {
	cell = strings.TrimSpace(cell)
	if at := strings.IndexAny(cell, " \t"); at > 0 {
		if rest := strings.TrimSpace(cell[at:]); len(rest) > 1 && rest[0] == '|' && rest[len(rest)-1] == '|' {
			return cell[:at]
		}
	}
	return cell
}

// molecules tells which cells are molecules, each of them once.
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

// among reports whether one of a row's cells is a molecule, and no shorter than most words.
func (m molecules) among(row []string) bool {
	return slices.ContainsFunc(row, func(cell string) bool { return len(cell) > 2 && m.has(cell) })
}

// in counts the cells of a column that are not empty, and those of them that are molecules.
// telling are those that can hardly be anything else: of two letters, such as CN, many are.
func (m molecules) in(rows [][]string, column int) (filled, read, telling int) {
	for _, row := range rows {
		if column >= len(row) || strings.TrimSpace(row[column]) == "" {
			continue
		}
		filled++
		if m.has(row[column]) {
			read++
			if len(strings.TrimSpace(row[column])) > 4 {
				telling++
			}
		}
	}
	return filled, read, telling
}

// held reports whether a column holds molecules: most of its cells are, and one of them can
// hardly be anything else, or all are and differ, or there is no other column.
func (m molecules) held(rows [][]string, column int) bool {
	filled, read, telling := m.in(rows, column)
	if read*10 < filled*7 || read == 0 {
		return false
	}
	return telling > 0 || filled == read && (len(rows) < 3 || differ(rows, column) || !slices.ContainsFunc(rows, func(row []string) bool { return len(row) > 1 }))
}

// differ reports whether a column has three or more different cells, which flags such as N and
// F have not.
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

// Meant reports whether a cell is meant as a molecule: it is a SMILES, or looks like one that
// cannot be read.
func Meant(cell string) bool {
	text := bare(cell)
	if at := strings.IndexByte(text, ' '); at > 0 {
		if text = text[:at]; text == "*" { // a footnote; else a name follows
			return false
		}
	}
	return smilesLike(text) || broken(text)
}
