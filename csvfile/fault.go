package csvfile

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"pacia/fault"
)

// fault explains an error; row is what was read before it.
func (r *Reader) fault(err error, row []string) error {
	var syntax *csv.ParseError
	var system *fs.PathError
	switch {
	case errors.Is(err, io.EOF):
		return &fault.Error{File: r.Name, What: "the file is empty", Fix: "write a header and one molecule a row"}
	case errors.Is(err, csv.ErrFieldCount) && errors.As(err, &syntax):
		return &fault.Error{
			File: r.Name, Row: syntax.StartLine,
			What: fmt.Sprintf("%d cells where the header has %d", len(row), len(r.Header)),
			Fix:  "write a comma for each empty cell, and quote cells that hold a comma",
		}
	case errors.As(err, &syntax):
		return &fault.Error{
			File: r.Name, Row: syntax.StartLine, What: "malformed CSV", Err: syntax.Err,
			Fix: `quote the whole cell and write "" for each " in it`,
		}
	case errors.Is(err, ErrTooLarge):
		return &fault.Error{File: r.Name, What: "refused: it " + ErrTooLarge.Error(), Fix: "unpack it, if it is what it should be"}
	case r.zipped && !errors.As(err, &system):
		return &fault.Error{File: r.Name, What: "damaged gzip file", Err: err, Fix: "fetch it again"}
	}
	return Unreadable(r.Name, err)
}

// Unreadable explains why the file called path cannot be read.
func Unreadable(path string, err error) *fault.Error {
	f := &fault.Error{File: path, What: "cannot be read", Err: err, Fix: "check the file"}
	var system *fs.PathError
	if errors.As(err, &system) {
		f.Err = system.Err // the path is named already
	}
	return f
}
