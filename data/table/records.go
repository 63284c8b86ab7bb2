package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"pacia/internal/badinput"
)

const (
	longest = 4 << 20 // bytes of a row
	ahead   = 200     // lines that a cell in quotation marks may have
)

// A Position is where a row of a text begins.
type Position struct {
	Offset int64 // in bytes of the file
	Line   int   // lines before it
}

// records parts a text into rows: lines, or several lines where a cell between quotation marks
// holds line ends. A quotation mark opens such a cell only where another closes it, directly
// before a separator or a line end. Otherwise it is a letter: one name that begins with a mark
// must not take the rows behind it into its cell.
type records struct {
	text     *bufio.Reader
	comma    byte
	width    int                 // cells of a row; 0: not known yet
	molecule func([]string) bool // a row's cells are those of a molecule; nil: any may be
	held     []line              // that were read ahead
	at       Position            // of the next line of text
}

// line is one line without its end.
type line struct {
	text []byte
	from Position
}

// next returns the next row and where it begins, or io.EOF. The text is valid until the next
// call.
func (r *records) next() (line, error) {
	first, err := r.line()
	if err != nil || bytes.IndexByte(first.text, '"') < 0 || quotes(string(first.text), r.comma, false) != open {
		return first, err
	}
	first.text = slices.Clone(first.text)
	joined, more := slices.Clone(first.text), []line(nil)
	state := open
	for state == open && len(more) < ahead && len(joined) < longest {
		l, err := r.line()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return line{}, err
		}
		l.text = slices.Clone(l.text)
		more = append(more, l)
		joined = append(append(joined, '\n'), l.text...)
		state = quotes(string(l.text), r.comma, true)
	}
	if state == closed && r.one(first, joined, more) {
		first.text = joined
	} else {
		r.held = append(more, r.held...)
	}
	return first, nil
}

// one reports whether lines are one row, and not several with a stray mark in one of them: then
// lines behind the first are rows of their own. The last of them is none where the first alone
// lacks cells, and all have as many as a row together.
func (r *records) one(first line, joined []byte, more []line) bool {
	alone := len(cellsOf(string(first.text), r.comma))
	width := r.width
	switch {
	case width == 0 && alone == 1:
		width = -1 // a header whose first name has two lines
	case width == 0:
		width = alone
	case len(cellsOf(string(joined), r.comma)) != width:
		return false
	}
	for i, l := range more {
		if i == len(more)-1 && alone != width {
			break
		}
		cells := cellsOf(string(l.text), r.comma)
		if len(cells) == width && (r.molecule == nil || r.molecule(cells)) {
			return false
		}
	}
	return true
}

func (r *records) line() (line, error) {
	if len(r.held) > 0 {
		l := r.held[0]
		r.held = r.held[1:]
		return l, nil
	}
	from := r.at
	text, err := r.text.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		text, err = r.rest(slices.Clone(text))
	}
	if err != nil && (!errors.Is(err, io.EOF) || len(text) == 0) {
		return line{}, err
	}
	r.at.Offset += int64(len(text))
	r.at.Line++
	return line{withoutEnd(text), from}, nil
}

// rest reads on where a line is longer than the buffer.
func (r *records) rest(begun []byte) ([]byte, error) {
	for {
		more, err := r.text.ReadSlice('\n')
		if begun = append(begun, more...); !errors.Is(err, bufio.ErrBufferFull) {
			return begun, err
		}
		if len(begun) > longest {
			return nil, &badinput.Error{Row: r.at.Line + 1, What: fmt.Sprintf("longer than %d MiB", longest>>20), Fix: "shorten it"}
		}
	}
}

func withoutEnd(text []byte) []byte {
	text = bytes.TrimSuffix(text, []byte{'\n'})
	return bytes.TrimSuffix(text, []byte{'\r'})
}

// A state is that of quotation marks at a line's end.
type state uint8

const (
	closed state = iota
	open         // a cell that began with a mark goes on
	stray        // what was taken for a cell between marks is none
)

// quotes follows the marks of a line, which may begin within a cell.
func quotes(text string, comma byte, inside bool) state {
	for {
		if !inside {
			if len(text) == 0 || text[0] != '"' {
				next := strings.IndexByte(text, comma)
				if next < 0 {
					return closed
				}
				text = text[next+1:]
				continue
			}
			text = text[1:]
		}
		switch end := closing(text, comma); end {
		case unclosed:
			return open
		case notClosing:
			if inside {
				return stray
			}
			next := strings.IndexByte(text, comma) // the cell is as it stands
			if next < 0 {
				return closed
			}
			text = text[next+1:]
		case len(text):
			return closed
		default:
			text = text[end+1:]
		}
		inside = false
	}
}

// What closing returns where there is no separator.
const (
	unclosed   = -1 // no mark closes the cell in this text
	notClosing = -2 // a mark that is neither doubled nor the last of its cell
)

// closing returns where the separator behind a cell between marks is, in a text that begins
// behind the first mark; the length of the text for its end.
func closing(text string, comma byte) int {
	for at := 0; ; {
		mark := strings.IndexByte(text[at:], '"')
		if mark < 0 {
			return unclosed
		}
		at += mark + 1
		switch {
		case at == len(text), text[at] == comma:
			return at
		case text[at] == '"':
			at++
		default:
			return notClosing
		}
	}
}

// cellsOf parts a row. Its cells are as they were before [Plain].
func cellsOf(text string, comma byte) []string {
	cells := split(text, comma)
	for i, c := range cells {
		cells[i] = original(c)
	}
	return cells
}

func split(text string, comma byte) []string {
	if strings.IndexByte(text, '"') < 0 {
		return strings.Split(text, string(rune(comma)))
	}
	var cells []string
	for {
		if strings.HasPrefix(text, `"`) {
			if end := closing(text[1:], comma); end >= 0 {
				cells = append(cells, strings.ReplaceAll(text[1:end], `""`, `"`))
				if end+1 >= len(text) {
					return cells
				}
				text = text[end+2:]
				continue
			}
		}
		cell, rest, more := strings.Cut(text, string(rune(comma)))
		cells = append(cells, cell)
		if !more {
			return cells
		}
		text = rest
	}
}
