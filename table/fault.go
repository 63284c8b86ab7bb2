package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"pacia/csvfile"
	"pacia/fault"
)

// errEmpty says that a file has no rows.
func (r *Reader) errEmpty() error {
	return &fault.Error{File: r.Name, What: "the file is empty", Fix: "write a header and one molecule a row"}
}

// unreadable explains an error of reading; io.EOF stays.
func (r *Reader) unreadable(err error) error {
	var syntax *csv.ParseError
	var damage packed
	switch {
	case errors.Is(err, io.EOF) && !errors.As(err, &damage):
		return io.EOF
	case errors.As(err, &syntax):
		return &fault.Error{
			File: r.Name, Row: syntax.StartLine, What: "malformed CSV", Err: syntax.Err,
			Fix: `quote the whole cell and write "" for each " in it`,
		}
	case errors.Is(err, csvfile.ErrTooLarge):
		return &fault.Error{File: r.Name, What: "refused: it " + csvfile.ErrTooLarge.Error(), Fix: "unpack it, if it is what it should be"}
	case fault.Is(err):
		return err
	case errors.As(err, &damage) && !errors.As(err, new(*fs.PathError)):
		return &fault.Error{File: r.Name, What: "damaged gzip file", Err: damage.error, Fix: "fetch it again"}
	}
	return csvfile.Unreadable(r.Name, err)
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
