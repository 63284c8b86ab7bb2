package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"pacia/fault"
	"pacia/input"
)

// errEmpty says that a file has no rows.
func (r *Reader) errEmpty() error {
	return &fault.Error{File: r.Name, What: "the file is empty", Fix: "write a header and one molecule a row"}
}

// unreadable explains an error of reading; io.EOF stays.
func (r *Reader) unreadable(err error) error {
	var syntax *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case errors.As(err, &syntax):
		return &fault.Error{
			File: r.Name, Row: syntax.StartLine, What: "malformed CSV", Err: syntax.Err,
			Fix: `quote the whole cell and write "" for each " in it`,
		}
	}
	var known *fault.Error
	if errors.As(err, &known) && known.File == "" {
		known.File = r.Name
	}
	return input.Unreadable(r.Name, err)
}

// errWidth says that a row has other cells than the header.
func (r *Reader) errWidth(line, cells int, comma rune) error {
	sign := "a comma"
	for _, d := range delimiters {
		if d.comma == comma {
			sign = "a " + d.name
		}
	}
	return &fault.Error{
		File: r.Name, Row: line, What: fmt.Sprintf("%d cells where the header has %d", cells, len(r.Header)),
		Fix: fmt.Sprintf("write %s for each empty cell, and quote cells that hold %s", sign, sign),
	}
}

func quote(name string) string { return fmt.Sprintf("%q", name) }
