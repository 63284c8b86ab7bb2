package table

import (
	"bytes"
	"encoding/csv"
	"strings"

	"pacia/data/rdkit"
)

const (
	looked   = 30 // rows that are looked at
	preamble = 20 // of these, the rows among which the header is looked for
)

// A layout is how a text may be read as a table.
type layout struct {
	comma  rune // ' ' stands for white space
	rows   [][]string
	header int // number of the header's row; −1: there is none, all rows are molecules
	smiles int // number of the molecules' column; −1: not found
	same   float64
}

// layoutOf tells the layout of a text's beginning. whole: it is all of the text.
//
// A separator that makes a cell of the header the name of the molecules' column is
// right. Where none does, the rows may all be molecules; or else the separator that
// gives the most rows as many cells as the header is taken, and it is for the caller to
// miss the column.
func layoutOf(begin []byte, whole bool, o Options) layout {
	comma, _ := o.comma()
	var best layout
	for i, d := range delimiters {
		if comma != d.comma && (comma != 0 || d.comma == ' ') {
			continue
		}
		l := layout{comma: d.comma, rows: split(begin, whole, d.comma)}
		l.find(o.SMILES)
		if i == 0 || comma != 0 || l.better(best) {
			best = l
		}
	}
	if comma == 0 && best.width() <= 1 {
		words := layout{comma: ' ', rows: split(begin, whole, ' ')}
		if words.find(o.SMILES); words.smiles == 0 && words.width() > 1 && words.same == 1 {
			return words // "smiles zinc_id" above rows of two words
		}
	}
	if best.smiles >= 0 {
		return best
	}
	for _, d := range []rune{'\t', ',', ';', '|', ' '} {
		if comma != 0 && comma != d {
			continue
		}
		l := layout{comma: d, rows: split(begin, whole, d), header: -1}
		if l.molecules() {
			return l
		}
	}
	return best
}

// find looks for the header.
func (l *layout) find(smiles string) {
	l.smiles = -1
	for i, row := range l.rows[:min(preamble, len(l.rows))] {
		if at := smilesColumn(row, smiles); at >= 0 {
			l.header, l.smiles = i, at
			break
		}
	}
	if len(l.rows) == 0 {
		return
	}
	width, same := len(trimmed(l.rows[l.header])), 0
	below := l.rows[l.header+1:]
	for _, row := range below {
		if len(row) == width || len(trimmed(row)) == width || l.comma == ' ' && len(row) > width {
			same++
		}
	}
	if l.same = 1; len(below) > 0 {
		l.same = float64(same) / float64(len(below))
	}
}

// trimmed leaves out empty cells at the end.
func trimmed(row []string) []string {
	for len(row) > 0 && strings.TrimSpace(row[len(row)-1]) == "" {
		row = row[:len(row)-1]
	}
	return row
}

func (l *layout) width() int {
	if len(l.rows) == 0 {
		return 0
	}
	return len(l.rows[max(0, l.header)])
}

// better compares two separators.
func (l *layout) better(than layout) bool {
	switch {
	case (l.smiles >= 0) != (than.smiles >= 0):
		return l.smiles >= 0
	case l.smiles < 0 && (l.width() > 1) != (than.width() > 1):
		return l.width() > 1
	case l.same != than.same:
		return l.same > than.same
	}
	return l.width() > than.width()
}

// molecules reports whether the rows are molecules from the first on, and finds their
// column.
func (l *layout) molecules() bool {
	if len(l.rows) == 0 {
		return false
	}
	first := l.rows[0]
	for column := range first {
		if !molecule(first[column]) {
			continue
		}
		read := 0
		for _, row := range l.rows {
			if l.comma != '\t' && l.comma != ' ' && len(row) != len(first) {
				return false
			}
			if column < len(row) && molecule(row[column]) {
				read++
			}
		}
		if read*10 >= len(l.rows)*7 {
			l.smiles = column
			return true
		}
	}
	return false
}

// molecule reports whether a cell is a SMILES. RDKit takes the words after one for
// its name.
func molecule(cell string) bool {
	cell = strings.TrimSpace(cell)
	if strings.ContainsAny(cell, " \t") || !strings.ContainsAny(cell, "BCNOPSFIbcnops[") {
		return false
	}
	_, err := rdkit.Parse(cell)
	return err == nil
}

// split reads the first rows of a text. Where that is only a text's beginning, its
// last row is not whole, and left out.
func split(begin []byte, whole bool, comma rune) [][]string {
	var rows [][]string
	if comma == ' ' {
		for line := range bytes.Lines(begin) {
			if (!whole && line[len(line)-1] != '\n') || len(rows) == looked {
				break
			}
			if row := words(string(line)); len(row) > 0 {
				rows = append(rows, row)
			}
		}
		return rows
	}
	r := csv.NewReader(bytes.NewReader(begin))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = comma, true, -1
	for len(rows) < looked {
		row, err := r.Read()
		if err != nil || !whole && r.InputOffset() == int64(len(begin)) && len(rows) > 0 {
			break
		}
		rows = append(rows, row)
	}
	return rows
}

// words splits a line into a SMILES, which an extension between bars may follow, and
// all the rest.
func words(line string) []string {
	line = strings.TrimSpace(line)
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		if line == "" {
			return nil
		}
		return []string{line}
	}
	rest := strings.TrimSpace(line[end:])
	if strings.HasPrefix(rest, "|") {
		bar := strings.IndexByte(rest[1:], '|')
		if bar < 0 {
			return []string{line}
		}
		after := strings.TrimSpace(rest[bar+2:])
		line = line[:len(line)-len(after)]
		if after == "" {
			return []string{line}
		}
		return []string{strings.TrimSpace(line), after}
	}
	return []string{line[:end], rest}
}
