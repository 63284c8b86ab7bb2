package table

import (
	"bufio"
	"errors"
	"io"
	"math"

	"golang.org/x/text/transform"

	"pacia/internal/input"
)

// A plain describes a text whose rows can be found without decoding the text before them.
// Such a text is not packed, and in its encoding the bytes of line feeds, quotation marks and
// separators have no other meaning.
type plain struct {
	file   *input.File
	list   bool // lines of words
	form   listForm
	comma  byte
	above  int  // lines above all rows
	head   int  // rows up to the header
	ragged bool // see textRows
}

// CanSkip reports whether [Reader.Scan] and [Reader.Skip] can be used. The file must be a text
// that was opened by Open and is not packed. Its encoding must not be given as an option or be UTF-16, and its
// lines must end in line feeds.
func (r *Reader) CanSkip() bool { return r.plain != nil && r.plain.file != nil }

// Scan calls found with the position of each row that Read would return, without reading its cells.
func (r *Reader) Scan(found func(Position) error) error {
	p := r.plain
	text := bufio.NewReaderSize(io.NewSectionReader(p.file, 0, math.MaxInt64), 1<<20)
	var at Position
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" {
		_, _ = text.Discard(3) // they are in the buffer
		at.Offset = 3
	}
	rows := r.textRows(text, rune(p.comma), p.ragged, at)
	rows.text = text
	next := rows.records.next
	if p.list {
		next = rows.line
	}
	above, head := p.above, p.head
	if head == 0 {
		rows.width = len(r.Header)
	}
	for {
		var l line
		var err error
		if above > 0 {
			l, err = rows.line()
		} else {
			l, err = next()
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return r.unreadable(err)
		case above > 0:
			above--
		case len(l.text) == 0, p.list && p.blank(l.text): // not even a row of the head
		case head > 0:
			if head--; head == 0 {
				rows.width = len(r.Header)
			}
		default:
			if p.blank(l.text) {
				continue
			}
			if err := found(l.from); err != nil {
				return err
			}
		}
	}
}

// blank reports whether all cells of a row are empty.
func (p *plain) blank(row []byte) bool {
	for _, c := range row {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return false
		}
	}
	decoded, _, err := transform.Bytes(new(guess), row)
	if err != nil {
		return false
	}
	if p.list {
		return len(words(string(decoded))) == 0
	}
	return blank(cellsOf(string(decoded), p.comma))
}

// Skip makes Read continue at a position that Scan found.
func (r *Reader) Skip(to Position) {
	p := r.plain
	text := transform.NewReader(io.NewSectionReader(p.file, to.Offset, math.MaxInt64-to.Offset), r.latin)
	if p.list {
		r.rows = &listRows{text: bufio.NewReaderSize(text, sample), form: p.form, line: to.Line, width: len(r.Header)}
		return
	}
	rows := r.textRows(text, rune(p.comma), p.ragged, to)
	rows.width = len(r.Header)
	r.rows = rows
}
