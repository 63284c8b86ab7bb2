package table

import (
	"bytes"
	"io"
)

// endInReturns reports whether lines end in carriage returns only. Cells in quotation marks
// may contain line feeds.
func endInReturns(begin []byte) bool {
	if bytes.IndexByte(begin, '\n') < 0 {
		return bytes.IndexByte(begin, '\r') >= 0
	}
	inside, returns := false, false
	for _, c := range begin {
		switch {
		case c == '"':
			inside = !inside
		case inside:
		case c == '\n':
			return false
		case c == '\r':
			returns = true
		}
	}
	return returns
}

// lineFeeds replaces carriage returns by line feeds.
type lineFeeds struct{ io.Reader }

func (l *lineFeeds) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	for i := range p[:n] {
		if p[i] == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}
