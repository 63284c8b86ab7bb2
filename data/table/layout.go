package table

import (
	"bufio"
	"bytes"
	"slices"
	"strings"
)

const (
	looked   = 30 // rows that are looked at
	preamble = 20 // of these, the rows among which the header is looked for
)

// A layout is how a text, or a sheet, may be read as a table.
type layout struct {
	comma  rune // ' ' stands for white space
	rows   [][]string
	lines  []int // of the file, of each row
	header int   // number of the header's row; −1: there is none, all rows are molecules
	known  molecules
	choice
	same float64 // share of the rows below that have as many cells as the header
}

// layoutOf tells the layout of a text's beginning. whole: it is all of the text.
//
// A separator is right that makes a cell of the header the name of a column of molecules, or
// else one by which a column holds molecules. Where none does, the separator that gives the
// most rows as many cells as the header is taken, and it is for the caller to miss the column.
func layoutOf(begin []byte, whole bool, o Options) layout {
	comma, _ := o.comma()
	m := molecules{}
	var best layout
	for i, d := range delimiters {
		if comma != d.comma && (comma != 0 || d.comma == ' ' || d.comma == '|' && extended(begin)) {
			continue
		}
		l := layout{comma: d.comma, known: m}
		l.split(begin, whole)
		l.find(o)
		if i == 0 || comma != 0 || l.better(best) {
			best = l
		}
	}
	if comma != 0 || best.held && best.width() > 1 {
		return best
	}
	list := layout{comma: ' ', known: m}
	list.split(begin, whole)
	list.find(o)
	if list.held && list.column == 0 && (!best.held || list.width() > 1) {
		return list
	}
	return best
}

// find looks for the header and the column of the molecules.
func (l *layout) find(o Options) {
	l.column = -1
	if len(l.rows) == 0 {
		return
	}
	switch {
	case o.Header != 0:
		l.given(o)
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

// given takes the header's row as the user gave it.
func (l *layout) given(o Options) {
	if l.header = -1; o.Header > 0 {
		if l.header = slices.Index(l.lines, o.Header); l.header < 0 {
			l.header = len(l.rows) - 1 // behind which there is nothing
			return
		}
	}
	l.choice = l.choose(l.header, o)
}

// choose chooses the column of the molecules below a row.
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

// byName takes the first row with the name of a column that holds molecules below it, and none
// above; or else the first with such a name, whatever is below.
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
			continue // a cell of the data
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

// byCells takes columns whose cells are molecules, and for the header the first row above
// these; none where the first row is a molecule, also one that cannot be read.
func (l *layout) byCells(o Options) bool {
	if o.named() && !o.Elsewhere {
		return false
	}
	begin := len(l.rows)
	for column := range l.widest() {
		for i, row := range l.rows[:min(begin, preamble)] {
			if column < len(row) && l.known.has(row[column]) && l.known.held(l.rows[i:], column) {
				for i > 0 && column < len(l.rows[i-1]) && l.known.has(l.rows[i-1][column]) {
					i-- // short ones, such as CO
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

// ragged reports whether rows without a header have different numbers of cells, which only
// tabs and lists may have.
func (l *layout) ragged() bool {
	return l.comma != '\t' && l.comma != ' ' && l.comma != 0 && slices.ContainsFunc(l.rows, func(row []string) bool { return len(row) != len(l.rows[0]) })
}

// broken reports whether a cell is meant as a SMILES that cannot be read: it has signs of one,
// and letters of hardly anything else.
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

func (l *layout) widest() int {
	width := 0
	for _, row := range l.rows {
		width = max(width, len(row))
	}
	return width
}

// found ranks how surely a column of molecules was found; 0: there is none.
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

// better compares two separators.
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

// split reads the first rows of a text. Where that is only a text's beginning, its last row is
// not whole, and left out.
func (l *layout) split(begin []byte, whole bool) {
	if !whole {
		begin = begin[:bytes.LastIndexByte(begin, '\n')+1]
	}
	r := records{text: bufio.NewReader(bytes.NewReader(begin)), comma: byte(l.comma), molecule: l.known.among}
	for len(l.rows) < looked {
		var row []string
		var from Position
		if l.comma == ' ' {
			line, err := r.line()
			if err != nil {
				return
			}
			row, from = words(string(line.text)), line.from
		} else {
			record, err := r.next()
			if err != nil {
				return
			}
			if len(record.text) > 0 {
				row, from = cellsOf(string(record.text), byte(l.comma)), record.from
			}
		}
		if len(row) > 0 {
			l.rows, l.lines = append(l.rows, row), append(l.lines, from.Line+1)
		}
	}
}
