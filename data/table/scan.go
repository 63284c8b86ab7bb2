package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"

	"golang.org/x/text/transform"

	"pacia/internal/badinput"
	"pacia/internal/input"
)

// A Place is where a row of a text begins.
type Place struct {
	Offset int64 // in bytes of the file
	Line   int   // lines before it
}

// A plain is what is known of a text whose rows can be found without reading what is
// before them: it is not packed, and of its bytes none but a line feed, a quotation mark
// and what separates the cells is read as one of these.
type plain struct {
	file   *input.File
	list   bool // lines of a SMILES and a name
	comma  byte
	head   int  // rows above the molecules
	width  int  // columns of a list
	ragged bool // as of csvRows
}

// CanSkip reports whether [Reader.Scan] and [Reader.Skip] can be used: of text files that
// Open opened, which are not packed, whose encoding was not named and is not UTF-16, and
// whose lines are ended by line feeds.
func (r *Reader) CanSkip() bool { return r.plain != nil && r.plain.file != nil }

// Scan tells the place of each row that Read would return, without reading its cells. It
// is at the end at once of what Read would refuse, and leaves saying so to Read.
func (r *Reader) Scan(found func(Place) error) error {
	p := r.plain
	const most = 2 * longest // Read refuses what is between
	text := bufio.NewReaderSize(io.NewSectionReader(p.file, 0, math.MaxInt64), most)
	var at Place
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" {
		_, _ = text.Discard(3) // they lie in the buffer
		at.Offset = 3
	}
	var row []byte // so far, where it has several lines
	begun, head, open := at, p.head, false
	for {
		line, err := text.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull), len(row)+len(line) > most:
			return &badinput.Error{File: r.Name, Row: begun.Line + 1, What: fmt.Sprintf("longer than %d MiB", longest>>20), Fix: "shorten it, or close a quotation mark before it"}
		case err != nil && !errors.Is(err, io.EOF):
			return r.unreadable(err)
		}
		end := len(line) == 0
		at.Offset, at.Line = at.Offset+int64(len(line)), at.Line+1
		if !open && !end && empty(line) {
			begun = at
			continue
		}
		whole := line
		if !p.list && bytes.IndexByte(line, '"') >= 0 || open {
			open = p.unclosed(line, open) && !end
			if row = append(row, line...); open {
				continue
			}
			whole = row
		}
		if end && len(whole) == 0 {
			return nil
		}
		switch {
		case p.list && p.blank(whole): // not even a row of the head
		case head > 0:
			head--
		case !p.blank(whole):
			if err := found(begun); err != nil {
				return err
			}
		}
		row, begun = row[:0], at
	}
}

// empty reports whether a line has nothing but its end.
func empty(line []byte) bool {
	return len(line) == 1 && line[0] == '\n' || len(line) == 2 && line[0] == '\r' && line[1] == '\n'
}

// unclosed reports whether a line ends within a quoted cell, as it may begin in one. It
// follows encoding/csv with LazyQuotes; where that is off, quotation marks that would part
// rows otherwise are an error of the row.
func (p *plain) unclosed(line []byte, open bool) bool {
	for {
		if !open && (len(line) == 0 || line[0] != '"') {
			next := bytes.IndexByte(line, p.comma)
			if next < 0 {
				return false
			}
			line = line[next+1:]
			continue
		}
		if !open {
			line = line[1:]
		}
		mark := bytes.IndexByte(line, '"')
		if mark < 0 {
			return true
		}
		line = line[mark+1:]
		switch {
		case len(line) == 0 || empty(line):
			return false
		case line[0] == p.comma:
			line, open = line[1:], false
		case line[0] == '"':
			line, open = line[1:], true
		default:
			open = true
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
	cells := csv.NewReader(bytes.NewReader(decoded))
	cells.Comma, cells.LazyQuotes = rune(p.comma), p.comma == '\t'
	record, err := cells.Read()
	return errors.Is(err, io.EOF) || err == nil && blank(record)
}

// Skip makes Read go on at a place that Scan told, with the rows from there on.
func (r *Reader) Skip(to Place) {
	p := r.plain
	text := transform.NewReader(io.NewSectionReader(p.file, to.Offset, math.MaxInt64-to.Offset), r.latin)
	if p.list {
		r.rows = &listRows{text: bufio.NewReaderSize(text, sample), line: to.Line, width: p.width}
		return
	}
	r.rows = newCSVRows(text, rune(p.comma), p.ragged, to.Line)
}
