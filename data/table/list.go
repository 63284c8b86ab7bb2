package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pacia/internal/badinput"
)

// listRows reads lines that consist of a SMILES and text after it.
type listRows struct {
	text  *bufio.Reader
	line  int
	skip  int // number of lines, not counting empty ones, before the first row
	width int // columns: 1 or 2
}

func (l *listRows) next(r *Reader, row *Row) error {
	for {
		line, err := readLine(l.text)
		if errors.Is(err, errLong) {
			return &badinput.Error{File: r.Name, Row: l.line + 1, What: err.Error(), Fix: "shorten it"}
		}
		if err != nil {
			return r.unreadable(err)
		}
		l.line++
		fields := words(line)
		if len(fields) == 0 {
			continue
		}
		if l.skip > 0 {
			l.skip--
			continue
		}
		if l.width == 1 && len(fields) > 1 {
			fields = []string{line} // the first lines had no names, but this one has
		}
		row.Line, row.Fields = l.line, fields
		return nil
	}
}

func (l *listRows) close() error { return nil }

var errLong = fmt.Errorf("longer than %d MiB", longest>>20)

// readLine returns the next line without its end.
func readLine(text *bufio.Reader) (string, error) {
	part, more, err := text.ReadLine()
	if err != nil {
		return "", err
	}
	if !more {
		return string(part), nil
	}
	line := slices.Clone(part)
	for more {
		if part, more, err = text.ReadLine(); err != nil {
			return "", err
		}
		if line = append(line, part...); len(line) > longest {
			return "", errLong
		}
	}
	return string(line), nil
}

// extension matches a line whose SMILES has an extension between bars.
var extension = regexp.MustCompile(`^[^\s|]+[ \t]+\|[^|]*\|`)

// extended reports whether most lines have an extension, so that bars are not separators.
func extended(begin []byte) bool {
	lines, extended := 0, 0
	for line := range bytes.Lines(begin) {
		if lines++; extension.Match(line) {
			extended++
		}
		if lines == looked {
			break
		}
	}
	return extended*2 > lines
}

// words splits a line into a SMILES, including an extension between bars, and the text after
// it.
func words(line string) []string {
	line = strings.TrimSpace(line)
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		if line == "" {
			return nil
		}
		return []string{line}
	}
	rest := strings.TrimSpace(line[end:])
	if strings.HasPrefix(rest, "|") {
		bar := strings.IndexByte(rest[1:], '|')
		if bar < 0 {
			return []string{line}
		}
		after := strings.TrimSpace(rest[bar+2:])
		line = line[:len(line)-len(after)]
		if after == "" {
			return []string{line}
		}
		return []string{strings.TrimSpace(line), after}
	}
	return []string{line[:end], rest}
}
