// Package badinput describes bad input of a user: where it is, what is wrong, and what to
// write instead.
//
// Any package may return an *Error. The command line prints it as one line and exits with
// code 2. All other errors are failures of the program or the machine, with exit code 1.
package badinput

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Error describes one error in the input. Fields that do not apply are empty.
type Error struct {
	File   string // name of the file
	Row    int    // line of the file, counted from 1; 0 without a line
	Column string // name of the column
	What   string // what is wrong
	Fix    string // how to correct it
	Err    error  // error of a lower layer
}

// Newf returns an Error that has only What.
func Newf(format string, args ...any) *Error {
	return &Error{What: fmt.Sprintf(format, args...)}
}

// Is reports whether err is or wraps an *Error.
func Is(err error) bool {
	var e *Error
	return errors.As(err, &e)
}

// Error returns one line: "FILE: row N, column NAME: WHAT: ERR; FIX". Long parts, which
// repeat long input, are shortened.
func (e *Error) Error() string {
	var where []string
	if e.Row > 0 {
		where = append(where, "row "+strconv.Itoa(e.Row))
	}
	if e.Column != "" {
		where = append(where, "column "+List([]string{e.Column}))
	}
	var parts []string
	for _, s := range []string{e.File, strings.Join(where, ", "), e.What} {
		if s != "" {
			parts = append(parts, bounded(s))
		}
	}
	if e.Err != nil {
		parts = append(parts, bounded(e.Err.Error()))
	}
	line := strings.Join(parts, ": ")
	if e.Fix != "" {
		line += "; " + bounded(e.Fix)
	}
	return oneLine(line)
}

// Unwrap returns the error of a lower layer, or nil.
func (e *Error) Unwrap() error { return e.Err }

// oneLine replaces line breaks and tabs by spaces: a file name, a label or a parser's
// message may contain them.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, s)
}
