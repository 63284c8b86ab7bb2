package table

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"pacia/data/label"
	"pacia/data/note"
	"pacia/internal/badinput"
)

func (r *Reader) openText(text *bufio.Reader, begin []byte, o Options) error {
	whole := len(begin) < sample
	above := 0
	if named := sepLine(begin); named != "" { // Excel reads such a line
		_, begin, _ = bytes.Cut(begin, []byte{'\n'}) // empty if the line has no end
		above = 1
		o.Delimiter = cmp.Or(o.Delimiter, named)
		if o.Header > 0 {
			o.Header-- // layoutOf counts from the line after it
		}
	}
	begin, passed := r.withoutComments(begin, o)
	above += passed
	if o.Header > 0 {
		o.Header -= passed
	}
	l := layoutOf(begin, whole, o)
	if len(l.rows) == 0 && l.rowsAbove > 0 {
		return &badinput.Error{File: r.Name, What: fmt.Sprintf("no row %d of --header among the first %d KiB", o.Header+above, sample>>10), Fix: "write the row of the header"}
	}
	if len(l.rows) == 0 {
		return r.noRows(text, begin, whole)
	}
	if err := r.setHeader(&l, o, above); err != nil {
		return err
	}
	r.Comma = l.comma
	head := l.rowsAbove + l.header + 1 // rows above the molecules
	if r.latin != nil {
		r.plain = &plain{list: l.comma == ' ', form: l.form, comma: byte(l.comma), above: above, head: head, ragged: l.header < 0}
	}
	if l.comma == ' ' {
		r.Form = List
		r.rows = &listRows{text: text, form: l.form, above: above, skip: head, width: len(r.Header)}
		return nil
	}
	rows := r.textRows(text, l.comma, l.header < 0, Position{})
	r.rows = rows
	for range above {
		_, _ = rows.line() // it is in the sample
	}
	for range head {
		if _, err := rows.row(); err != nil {
			return r.unreadable(err)
		}
	}
	rows.width = len(r.Header)
	return nil
}

// noRows returns the error for a text without a first row.
func (r *Reader) noRows(text *bufio.Reader, begin []byte, whole bool) error {
	if _, err := text.Peek(1); err != nil && !errors.Is(err, io.EOF) {
		return r.unreadable(err)
	}
	if !whole && len(begin) > 0 {
		return &badinput.Error{File: r.Name, Row: 1, What: fmt.Sprintf("the first row is longer than %d KiB", sample>>10), Fix: "give a table with one molecule a row"}
	}
	return errEmpty(r.Name)
}

// sepLine returns the separator if the first line is such as "sep=;", or an empty string.
func sepLine(begin []byte) string {
	line, _, _ := bytes.Cut(begin, []byte{'\n'})
	text := strings.Trim(string(line), "\"\r")
	if named, found := strings.CutPrefix(strings.ToLower(text), "sep="); found && len(named) == 1 {
		return named
	}
	return ""
}

// setHeader sets the header from a layout, and notes the assumptions. above is the number of lines before
// the layout's first line.
func (r *Reader) setHeader(l *layout, o Options, above int) error {
	if len(l.equal) > 0 {
		fix := "write --smiles with the name of one"
		if strings.EqualFold(l.equal[0], l.equal[1]) { // a name would not be unique
			fix = "rename one of them"
		}
		what := "several columns hold molecules: " + badinput.List(l.equal)
		if l.header < 0 {
			what, fix = "several columns hold molecules, and there is no header", "write a header, and --smiles with the name of one"
		}
		return &badinput.Error{File: r.Name, Row: above + l.line(), What: what, Fix: fix}
	}
	if l.comma != ',' && l.comma != 0 && l.width() > 1 {
		r.Notes = append(r.Notes, note.Note{Text: plural(l.comma), Switch: "--delimiter"})
	}
	if l.header < 0 {
		r.SMILES, r.Header = l.column, l.madeUp()
		if l.column < 0 {
			return r.noMolecules(l, o)
		}
		r.Notes = append(r.Notes, note.Note{Text: "no header", Switch: "--header"})
		return r.tooWide()
	}
	if r.HeaderLine = above + l.line(); l.line() > 1 {
		r.Notes = append(r.Notes, note.Note{Text: fmt.Sprintf("header in row %d", r.HeaderLine), Switch: "--header"})
	}
	header := l.rows[l.header]
	if o.Header > 0 && l.column >= 0 && l.column < len(header) && len(strings.TrimSpace(header[l.column])) > 4 && l.known.has(header[l.column]) {
		return &badinput.Error{File: r.Name, Row: r.HeaderLine, What: "a molecule, " + badinput.Quote(header[l.column]) + ", and not the names of columns",
			Fix: "write the row of the header; --header is for all files, and --header FILE=ROW for one"}
	}
	width := len(trimmed(header)) // spreadsheets write empty columns at the end
	for _, row := range l.rows[l.header+1:] {
		width = max(width, min(len(header), len(trimmed(row))))
	}
	for _, name := range header[:max(1, width)] {
		r.Header = append(r.Header, OneLine(name))
	}
	r.SMILES = l.column
	if err := r.tooWide(); err != nil {
		return err
	}
	return r.found(l, o)
}

// maxColumns is the largest number of columns of a table.
const maxColumns = 4096

func (r *Reader) tooWide() error {
	if len(r.Header) <= maxColumns {
		return nil
	}
	return &badinput.Error{File: r.Name, Row: max(1, r.HeaderLine), What: fmt.Sprintf("%d columns, more than %d", len(r.Header), maxColumns), Fix: "leave out columns that are not needed"}
}

// line returns the line of the header, or of the first row without one.
func (l *layout) line() int { return l.lines[max(0, l.header)] }

// found notes the column of the molecules. It returns an error if there is none, or if most rows
// have another number of cells than the header.
func (r *Reader) found(l *layout, o Options) error {
	if l.column < 0 {
		return r.noMolecules(l, o)
	}
	if l.same < 0.5 && l.comma != ' ' && l.comma != 0 {
		for i, row := range l.rows[l.header+1:] {
			if len(trimmed(row)) != len(r.Header) {
				return r.errWidth(r.HeaderLine+l.lines[l.header+1+i]-l.line(), len(row), l.comma)
			}
		}
	}
	name := r.Header[l.column]
	switch {
	case o.named() && !strings.EqualFold(name, strings.TrimSpace(o.SMILES)):
		r.Missed = true
		r.Notes = append(r.Notes, note.Note{Text: fmt.Sprintf("no column %s: molecules in column %s", badinput.Quote(o.SMILES), badinput.Quote(name)), Switch: "--smiles", Warning: true})
	case len(l.also) > 0 && !o.named():
		r.Notes = append(r.Notes, note.Note{Text: fmt.Sprintf("molecules in column %s, and not in %s", badinput.Quote(name), badinput.List(l.also)), Switch: "--smiles"})
	case !strings.EqualFold(name, "smiles") && !o.named():
		r.Notes = append(r.Notes, note.Note{Text: "molecules in column " + badinput.Quote(name), Switch: "--smiles"})
	}
	return nil
}

// madeUp returns names for the columns of a text without a header: smiles, name (or label if
// all cells are labels), and column_N for all others.
func (l *layout) madeUp() []string {
	names := make([]string, max(1, l.widest()))
	named := false
	for i := range names {
		switch {
		case i == l.column:
			names[i] = "smiles"
		case !named && l.labels(i):
			names[i] = "label"
		case !named:
			names[i], named = "name", true
		default:
			names[i] = "column_" + strconv.Itoa(i+1)
		}
	}
	return names
}

func (l *layout) labels(column int) bool {
	return !slices.ContainsFunc(l.rows, func(row []string) bool {
		if column >= len(row) {
			return false
		}
		_, known := label.Word(row[column])
		return !known
	})
}

// textRows reads the rows of a text whose cells are separated by a character.
type textRows struct {
	records
	ragged bool // rows may have fewer cells than the header, which was made up
}

func (r *Reader) textRows(text io.Reader, comma rune, ragged bool, at Position) *textRows {
	t := &textRows{ragged: ragged, records: records{text: bufio.NewReaderSize(text, sample), comma: byte(comma), at: at}}
	m := molecules{}
	t.molecule = func(cells []string) bool {
		if t.width == 0 { // a row up to the header, as in [layout.split]
			return m.among(cells)
		}
		return r.SMILES < len(cells) && m.has(cells[r.SMILES])
	}
	return t
}

// row returns the next row that is not an empty line.
func (r *records) row() (line, error) {
	for {
		l, err := r.next()
		if err != nil || len(l.text) > 0 {
			return l, err
		}
	}
}

func (t *textRows) next(r *Reader, row *Row) error {
	record, err := t.row()
	if err != nil {
		return r.unreadable(err)
	}
	row.Line = record.from.Line + 1
	row.Fields = cellsOf(string(record.text), t.comma)
	if n := len(row.Fields); n != len(r.Header) {
		fits := n < len(r.Header) && t.ragged || n > len(r.Header) && blank(row.Fields[len(r.Header):])
		if !fits && !blank(row.Fields) {
			row.Reason = errors.New(r.errWidth(row.Line, n, rune(t.comma)).(*badinput.Error).What) //nolint:errorlint // made there
		}
		cells := make([]string, len(r.Header))
		copy(cells, row.Fields)
		row.Fields = cells
	}
	return nil
}

func (t *textRows) close() error { return nil }
