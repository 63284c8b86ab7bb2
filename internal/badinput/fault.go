// Package badinput describes bad input: what a person gave to the program, where
// it is wrong, and what to write instead.
//
// Any package may return an *Error. The command line prints it as one line
// and leaves with exit code 2; every other error is the program's or the
// machine's own trouble and leaves with exit code 1.
package badinput

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Error is one piece of bad input. The fields that do not apply stay empty.
type Error struct {
	File   string // file it was found in
	Row    int    // line of that file, counted from 1; 0 where it has none
	Column string // name of the column
	What   string // what is wrong
	Fix    string // what to do about it
	Err    error  // what a lower layer said
}

// Newf returns an Error with only What set.
func Newf(format string, args ...any) *Error {
	return &Error{What: fmt.Sprintf(format, args...)}
}

// Is reports whether err is, or wraps, bad input.
func Is(err error) bool {
	var e *Error
	return errors.As(err, &e)
}

// Error returns one line: "FILE: row N, column NAME: WHAT: ERR; FIX". A part of it that
// repeats a long input is cut short.
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

// Unwrap returns what a lower layer said, or nil.
func (e *Error) Unwrap() error { return e.Err }

// oneLine keeps the promise of a single line whatever the input held: a file
// name, a label or a parser's message may carry line breaks.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, s)
}
