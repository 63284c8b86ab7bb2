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
	ahead   = 200     // lines of a cell in quotation marks
)

// A Position is the beginning of a row of a text.
type Position struct {
	Offset int64 // in bytes of the file
	Line   int   // lines before it
}

// records splits a text into rows. A row is one line, or several lines if a cell in quotation marks
// contains line ends. A quotation mark opens such a cell only if another mark closes it directly
// before a separator or a line end. Otherwise it is an ordinary character, so that a name that begins with a
// mark does not absorb the rows after it.
type records struct {
	text     *bufio.Reader
	comma    byte
	width    int                 // cells of a row; 0: not yet known
	molecule func([]string) bool // reports whether a row's cells contain a molecule; nil: any row may
	held     []line              // lines that were read ahead
	at       Position            // of the next line of text
}

// line is one line without its end.
type line struct {
	text []byte
	from Position
}

// next returns the next row and its position, or io.EOF. The text is valid until the next
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
	if state == closed && r.joinsOneRow(first, joined, more) {
		first.text = joined
	} else {
		r.held = append(more, r.held...)
	}
	return first, nil
}

// joinsOneRow reports whether lines form one row. Otherwise the first line contains a stray mark, and the
// lines after it are rows of their own. If the first line alone lacks cells, and all lines
// together have as many as a row, the last line belongs to the row.
func (r *records) joinsOneRow(first line, joined []byte, more []line) bool {
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

// rest reads the rest of a line that is longer than the buffer.
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

// A state is the state of quotation marks at the end of a line.
type state uint8

const (
	closed state = iota
	open         // a cell that began with a mark continues
	stray        // the first mark does not open a cell after all
)

// quotes returns the state at the end of a line. inside: the line begins in an open cell.
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
			next := strings.IndexByte(text, comma) // the mark is an ordinary character
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

// Results of closing if there is no separator.
const (
	unclosed   = -1 // no mark closes the cell in this text
	notClosing = -2 // a mark that is neither doubled nor the last of its cell
)

// closing returns the index of the separator after a cell in quotation marks. text begins after
// the first mark. If the cell is the last one, closing returns the length of the text.
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

// cellsOf splits a row into cells, and undoes [Plain].
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
