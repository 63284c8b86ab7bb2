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

// A listForm is the place of the SMILES in the lines of a list.
type listForm uint8

const (
	smilesFirst listForm = iota // a SMILES, and the rest of the line as its name
	smilesLast                  // a name, and a SMILES as the last word
	everyWord                   // as many words in all lines, such as a name, a SMILES and a label
)

// split splits a line into cells; nil if it is empty.
func (f listForm) split(line string) []string {
	switch f {
	case smilesLast:
		return lastWord(line)
	case everyWord:
		if cells := strings.Fields(line); len(cells) > 0 {
			return cells
		}
		return nil
	}
	return words(line)
}

// listRows reads lines of words.
type listRows struct {
	text  *bufio.Reader
	form  listForm
	line  int
	above int // number of lines above the list
	skip  int // number of lines, not counting empty ones, between these and the first row
	width int // columns
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
		if l.line++; l.line <= l.above {
			continue
		}
		fields := l.form.split(line)
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
		row.Line, row.Fields = l.line, l.fit(row, fields)
		return nil
	}
}

// fit returns the cells of a line with other words before the SMILES, as many as there are columns.
func (l *listRows) fit(row *Row, cells []string) []string {
	if l.form == smilesFirst || len(cells) == l.width {
		return cells
	}
	row.Reason = fmt.Errorf("%d words where the other lines have %d", len(cells), l.width)
	fitted := make([]string, l.width)
	copy(fitted, cells)
	return fitted
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

// lastWord splits a line into the text before a SMILES, and the SMILES, including an extension between bars. One word
// alone is a SMILES.
func lastWord(line string) []string {
	line = strings.TrimSpace(line)
	end := len(line)
	if strings.HasSuffix(line, "|") && strings.Count(line, "|") > 1 {
		end = strings.LastIndexByte(line[:end-1], '|')
	}
	at := strings.LastIndexAny(strings.TrimSpace(line[:end]), " \t")
	switch {
	case line == "":
		return nil
	case at < 0:
		return []string{"", line}
	}
	return []string{strings.TrimSpace(line[:at]), line[at+1:]}
}
