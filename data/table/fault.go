package table

import (
	"errors"
	"fmt"
	"io"

	"pacia/internal/badinput"
	"pacia/internal/input"
)

// unreadable converts an error of reading to a *badinput.Error; io.EOF is unchanged.
func (r *Reader) unreadable(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	var known *badinput.Error
	if errors.As(err, &known) && known.File == "" {
		known.File = r.Name
	}
	return input.Unreadable(r.Name, err)
}

// errWidth returns the error for a row whose number of cells differs from the header's.
func (r *Reader) errWidth(line, cells int, comma rune) error {
	sign := "a comma"
	for _, d := range delimiters {
		if d.comma == comma {
			sign = "a " + d.name
		}
	}
	return &badinput.Error{
		File: r.Name, Row: line, What: fmt.Sprintf("%d cells where the header has %d", cells, len(r.Header)),
		Fix: fmt.Sprintf("write %s for each empty cell, and quote cells that hold %s", sign, sign),
	}
}
