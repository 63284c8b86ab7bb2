package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"pacia/data/note"
	"pacia/internal/each"
)

// comments returns the number of lines at the beginning of a text that begin with # and are not the header. header: the
// text has one, or may have.
func comments(begin []byte, header bool) int {
	lines := strings.Split(string(begin), "\n")
	n := 0
	for n < len(lines) && strings.HasPrefix(strings.TrimLeft(lines[n], " \t\""), "#") {
		n++
	}
	if n > 0 && n < len(lines) && header && headerLike(lines[n-1], lines[n]) {
		n--
	}
	return n
}

// headerLike reports whether a line that begins with # is the header of the line below: it names a column of SMILES, has
// as many cells, and the line below is not itself a header.
func headerLike(line, below string) bool {
	line, below = strings.TrimRight(line, "\r"), strings.TrimRight(below, "\r")
	for _, d := range delimiters {
		cells, data := split(line, byte(d.comma)), split(below, byte(d.comma))
		if d.comma == ' ' {
			cells, data = strings.Fields(strings.TrimLeft(line, "# ")), strings.Fields(below)
		}
		named := func(cell string) bool { return likeSMILES(cell) > 0 }
		if len(cells) != len(data) || len(cells) == 1 && d.comma != ' ' || !slices.ContainsFunc(cells, named) {
			continue
		}
		return !slices.ContainsFunc(data, named)
	}
	return false
}

// withoutComments returns a text without the comments above the table, and their number.
func (r *Reader) withoutComments(begin []byte, o Options) ([]byte, int) {
	n := comments(begin, o.Header != NoHeader)
	if o.Header > 0 {
		n = min(n, o.Header-1)
	}
	for range n {
		_, begin, _ = bytes.Cut(begin, []byte{'\n'})
	}
	if n > 0 {
		text := "a comment line is passed over"
		if n > 1 {
			text = fmt.Sprintf("%d comment lines are passed over", n)
		}
		rows := each.Of(each.Order[int](n), func(i int) int { return i + 1 })
		r.Notes = append(r.Notes, note.Note{Text: text, Rows: rows})
	}
	return begin, n
}

// withoutSign returns a header without the # that makes it a comment for other programs. In a table, the # of a first
// column such as #Compound stays.
func withoutSign(line string, comma byte) string {
	rest := strings.TrimLeft(line, "# ")
	first, _, _ := strings.Cut(rest, string(rune(comma)))
	if !strings.HasPrefix(line, "#") || first == "" || comma != ' ' && !strings.HasPrefix(line, "# ") && likeSMILES(first) == 0 {
		return line
	}
	return rest
}
