package table

import (
	"bufio"
	"bytes"
	"slices"
)

// listOf infers the layout of a list: a SMILES is the first word of a line, or the last one, or there are as many words
// in all lines.
func listOf(begin []byte, whole bool, o Options, m molecules) (first layout) {
	for _, form := range []listForm{smilesFirst, smilesLast, everyWord} {
		l := layout{comma: ' ', form: form, known: m}
		l.split(begin, whole, o)
		l.find(o)
		switch fits := form != everyWord || l.even(); {
		case l.held && fits && (form == everyWord || l.column == int(form)):
			return l
		case form == smilesFirst:
			first = l
		}
	}
	return first
}

// even reports whether all rows have as many cells, three or more.
func (l *layout) even() bool {
	return l.widest() > 2 && !slices.ContainsFunc(l.rows, func(row []string) bool { return len(row) != len(l.rows[0]) })
}

// split reads the first rows of a text. If begin is not the whole text, its last row is incomplete and
// left out.
func (l *layout) split(begin []byte, whole bool, o Options) {
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
			row, from = l.form.split(l.sign(string(line.text))), line.from
		} else {
			record, err := r.next()
			if err != nil {
				return
			}
			if len(record.text) > 0 {
				row, from = cellsOf(l.sign(string(record.text)), byte(l.comma)), record.from
			}
		}
		switch {
		case len(row) == 0:
		case from.Line+1 < o.Header:
			l.rowsAbove++
		default:
			l.rows, l.lines = append(l.rows, row), append(l.lines, from.Line+1)
		}
	}
}

// sign returns the text of a row, of the first one without the # of a header.
func (l *layout) sign(text string) string {
	if len(l.rows)+l.rowsAbove > 0 {
		return text
	}
	return withoutSign(text, byte(l.comma))
}
