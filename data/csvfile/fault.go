package csvfile

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"pacia/internal/badinput"
	"pacia/internal/input"
)

// fault explains an error; row is what was read before it.
func (r *Reader) fault(err error, row []string) error {
	var syntax *csv.ParseError
	var known *badinput.Error
	switch {
	case errors.As(err, &known):
		if known.File == "" {
			known.File = r.Name
		}
		return known
	case errors.Is(err, io.EOF):
		return Empty(r.Name)
	case errors.Is(err, csv.ErrFieldCount) && errors.As(err, &syntax):
		return &badinput.Error{
			File: r.Name, Row: syntax.StartLine,
			What: fmt.Sprintf("%d cells where the header has %d", len(row), len(r.Header)),
			Fix:  "write a comma for each empty cell, and quote cells that hold a comma",
		}
	case errors.As(err, &syntax):
		return Malformed(r.Name, syntax)
	}
	return input.Unreadable(r.Name, err)
}

// Malformed explains what encoding/csv finds wrong in the file called name.
func Malformed(name string, syntax *csv.ParseError) *badinput.Error {
	return &badinput.Error{
		File: name, Row: syntax.StartLine, What: "malformed CSV", Err: syntax.Err,
		Fix: `quote the whole cell and write "" for each " in it`,
	}
}

// Empty says that the file called name has no rows.
func Empty(name string) *badinput.Error {
	return &badinput.Error{File: name, What: "the file is empty", Fix: "write a header and one molecule a row"}
}
