package table

import (
	"slices"
	"strings"
)

const (
	looked   = 30 // rows that are examined
	preamble = 20 // the rows among them that may be the header
)

// A layout is a possible way to read a text or a sheet as a table.
type layout struct {
	comma     rune     // ' ' stands for white space
	form      listForm // of a list
	rows      [][]string
	lines     []int // number of the line in the file, for each row
	header    int   // number of the header's row; −1: no header, all rows are molecules
	rowsAbove int   // rows above these that were left out, since the user gave the row of the header
	known     molecules
	choice
	same float64 // share of the rows below that have the same number of cells as the header
}

// layoutOf infers the layout from the beginning of a text. whole: begin is the whole text.
//
// It prefers a separator for which the header names a column that contains molecules, then one for which a
// column contains molecules, then one for which the header only names such a column. Otherwise it takes the
// separator for which most rows have the same number of cells as the header, and the layout has no column of
// molecules.
func layoutOf(begin []byte, whole bool, o Options) layout {
	comma, _ := o.comma()
	m := molecules{}
	var best layout
	for i, d := range delimiters {
		if comma != d.comma && (comma != 0 || d.comma == ' ' || d.comma == '|' && extended(begin)) {
			continue
		}
		l := layout{comma: d.comma, known: m}
		if d.comma == ' ' {
			l = listOf(begin, whole, o, m)
		} else {
			l.split(begin, whole, o)
			l.find(o)
		}
		if i == 0 || comma != 0 || l.better(best) {
			best = l
		}
	}
	if comma != 0 || best.width() > 1 && (best.held || best.headed()) {
		return best
	}
	if list := listOf(begin, whole, o, m); list.held && (!best.held || list.width() > 1) {
		return list
	}
	return best
}

// headed reports whether the header names the column of the molecules in one word, unlike that of a list, such as
// "SMILES Name, remark".
func (l *layout) headed() bool {
	return l.named && l.header >= 0 && !strings.ContainsAny(strings.TrimSpace(l.rows[l.header][l.column]), " \t")
}

// find looks for the header and the column of the molecules.
func (l *layout) find(o Options) {
	l.column = -1
	if len(l.rows) == 0 {
		return
	}
	switch {
	case o.Header != 0:
		l.setHeaderRow(o)
	case !l.byName(o) && !l.byCells(o):
		l.header = 0
	}
	width, same := len(trimmed(l.rows[max(0, l.header)])), 0
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

// setHeaderRow uses the header's row that the user gave.
func (l *layout) setHeaderRow(o Options) {
	if l.header = -1; o.Header > 0 {
		if l.header = slices.Index(l.lines, o.Header); l.header < 0 {
			l.header = 0 // the given row is empty
		}
	}
	l.choice = l.choose(l.header, o)
}

// choose chooses the column of the molecules if row number header is the header.
func (l *layout) choose(header int, o Options) choice {
	below := l.rows[header+1:]
	if header < 0 {
		return moleculesColumn(make([]string, l.widest()), below, l.known)
	}
	row := l.rows[header]
	if o.named() {
		if at := Column(row, o.SMILES); at >= 0 || !o.Elsewhere {
			return choice{column: at, named: at >= 0, held: at >= 0 && l.known.held(below, at)}
		}
	}
	return moleculesColumn(row, below, l.known)
}

// byName takes as the header the first row with the name of a column that contains molecules below this row
// and none above. Otherwise it calls byCells, unless the user named a column, and then takes the first row
// with such a name.
func (l *layout) byName(o Options) bool {
	first := -1
	for i, row := range l.rows[:min(preamble, len(l.rows))] {
		if o.named() && Column(row, o.SMILES) < 0 && !o.Elsewhere {
			continue
		}
		if !o.named() && !slices.ContainsFunc(row, func(cell string) bool { return likeSMILES(cell) > 0 }) {
			continue
		}
		c := l.choose(i, o)
		if _, above, _ := l.known.in(l.rows[:i], max(0, c.column)); above > 0 {
			continue // the name is a cell of the data
		}
		if c.named && c.held || len(c.equal) > 0 {
			l.header, l.choice = i, c
			return true
		}
		if c.named && first < 0 {
			first = i
		}
	}
	if first < 0 || !o.named() && l.byCells(o) {
		return first >= 0
	}
	l.header, l.choice = first, l.choose(first, o)
	return true
}

// byCells finds columns whose cells are molecules. The header is the first suitable row above them. If the
// first row is a molecule, even one that cannot be read, the layout has no header.
func (l *layout) byCells(o Options) bool {
	if o.named() && !o.Elsewhere {
		return false
	}
	begin := len(l.rows)
	for column := range l.widest() {
		for i, row := range l.rows[:min(begin, preamble)] {
			if column < len(row) && l.known.has(row[column]) && l.known.held(l.rows[i:], column) {
				for i > 0 && column < len(l.rows[i-1]) && l.known.has(l.rows[i-1][column]) {
					i-- // short SMILES, such as CO
				}
				begin = min(begin, i)
				break
			}
		}
	}
	if begin == len(l.rows) {
		return false
	}
	none := moleculesColumn(make([]string, l.widest()), l.rows[begin:], l.known)
	for i, row := range l.rows[:begin] {
		if none.column >= 0 && none.column < len(row) && broken(row[none.column]) {
			begin = 0 // a molecule that cannot be read
			break
		}
		if filled := trimmed(row); len(filled) >= 2 || l.widest() == 1 {
			if c := l.choose(i, o); c.column >= 0 || len(c.equal) > 0 {
				l.header, l.choice = i, c
				return true
			}
		}
	}
	if begin > 0 || l.ragged() {
		return false
	}
	l.header, l.choice = -1, none
	return none.column >= 0 || len(none.equal) > 0
}

// ragged reports whether rows have different numbers of cells. Without a header, this is allowed
// only with tabs and in lists, for which ragged returns false.
func (l *layout) ragged() bool {
	return l.comma != '\t' && l.comma != ' ' && l.comma != 0 && slices.ContainsFunc(l.rows, func(row []string) bool { return len(row) != len(l.rows[0]) })
}

// broken reports whether a cell looks like a SMILES with an error: it contains characters such as brackets or
// digits, and nine tenths of its letters are those of SMILES.
func broken(cell string) bool {
	cell = bare(cell)
	if !strings.ContainsAny(cell, "()[]=#@/\\123456789") || strings.ContainsAny(cell, " \t_,;") {
		return false
	}
	letters, own := 0, 0
	for _, c := range cell {
		if c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			if letters++; strings.ContainsRune("BCNOPSFIHbcnopslr", c) {
				own++
			}
		}
	}
	return letters > 1 && own*10 >= letters*9
}

// trimmed returns a row without empty cells at its end.
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

func (l *layout) widest() int {
	width := 0
	for _, row := range l.rows {
		width = max(width, len(row))
	}
	return width
}

// found ranks the evidence for a column of molecules; 0: none was found.
func (l *layout) found() int {
	switch {
	case l.column < 0 && len(l.equal) == 0:
		return 0
	case l.named && l.held, len(l.equal) > 0:
		return 3
	case l.held:
		return 2
	}
	return 1
}

// better reports whether l is better than the layout with another separator.
func (l *layout) better(than layout) bool {
	switch own, other := l.found(), than.found(); {
	case own != other:
		return own > other
	case own == 0 && (l.width() > 1) != (than.width() > 1):
		return l.width() > 1
	case l.same != than.same:
		return l.same > than.same
	}
	return l.width() > than.width()
}
