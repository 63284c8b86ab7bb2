package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"pacia/data/csvfile"
	"pacia/data/label"
	"pacia/internal/badinput"
)

// openText reads the header of a text of which begin is the beginning.
func (r *Reader) openText(text *bufio.Reader, begin []byte, o Options) error {
	whole := len(begin) < sample
	var source io.Reader = text
	if bytes.IndexByte(begin, '\n') < 0 && bytes.IndexByte(begin, '\r') >= 0 {
		source = &lineFeeds{text} // as Excel on a Mac writes it
		begin = bytes.ReplaceAll(begin, []byte{'\r'}, []byte{'\n'})
	}
	skip := 0
	if named := sepLine(begin); named != "" { // as Excel reads it
		_, begin, _ = bytes.Cut(begin, []byte{'\n'}) // nothing, where the line has no end
		skip = 1
		if o.Delimiter == "" {
			o.Delimiter = named
		}
	}
	l := layoutOf(begin, whole, o)
	if len(l.rows) == 0 && skip == 0 {
		if err := firstError(text); err != nil {
			return r.unreadable(err)
		}
	}
	if len(l.rows) == 0 {
		return csvfile.Empty(r.Name)
	}
	r.Commas = l.comma == ','
	r.tell(l)
	if r.latin != nil && source == text {
		r.plain = &plain{list: l.comma == ' ', comma: byte(l.comma), head: skip + l.header + 1, width: len(r.Header), ragged: l.header < 0}
	}
	if l.comma == ' ' {
		r.Form = "list"
		r.rows = &listRows{text: bufio.NewReaderSize(source, sample), skip: skip + l.header + 1, width: len(r.Header)}
		return nil
	}
	r.Form = "table"
	rows := newCSVRows(source, l.comma, l.header < 0, 0)
	r.rows = rows
	for range skip + l.header + 1 {
		if _, err := rows.csv.Read(); err != nil {
			return r.unreadable(err)
		}
	}
	return nil
}

// sepLine returns the separator that the first line names, as "sep=;" does.
func sepLine(begin []byte) string {
	line, _, _ := bytes.Cut(begin, []byte{'\n'})
	text := strings.Trim(string(line), "\"\r")
	if named, found := strings.CutPrefix(strings.ToLower(text), "sep="); found && len(named) == 1 {
		return named
	}
	return ""
}

// firstError returns why a text has no first row.
func firstError(text *bufio.Reader) error {
	if _, err := text.Peek(1); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// tell takes the header over, and what is said about the layout.
func (r *Reader) tell(l layout) {
	separated := func() {
		if l.comma != ',' && len(r.Header) > 1 {
			r.told = append(r.told, plural(l.comma))
		}
	}
	if l.header < 0 {
		r.SMILES, r.Header = l.smiles, l.madeUp()
		separated()
		r.told = append(r.told, "no header")
		return
	}
	defer separated()
	if l.header > 0 {
		r.told = append(r.told, fmt.Sprintf("header in row %d", l.header+1))
	}
	header := l.rows[l.header]
	width := len(trimmed(header)) // spreadsheets write empty columns at the end
	for _, row := range l.rows[l.header+1:] {
		width = max(width, min(len(header), len(trimmed(row))))
	}
	for _, name := range header[:max(1, width)] {
		r.Header = append(r.Header, strings.TrimSpace(name))
	}
}

// madeUp names the columns of a text without a header: smiles, name (or label where
// all cells are labels), and the numbers of all others.
func (l *layout) madeUp() []string {
	width := 1
	for _, row := range l.rows {
		width = max(width, len(row))
	}
	names := make([]string, width)
	named := false
	for i := range names {
		switch {
		case i == l.smiles:
			names[i] = "smiles"
		case !named && l.labels(i):
			names[i] = "label"
		case !named:
			names[i], named = "name", true
		default:
			names[i] = fmt.Sprintf("column_%d", i+1)
		}
	}
	return names
}

func (l *layout) labels(column int) bool {
	return !slices.ContainsFunc(l.rows, func(row []string) bool {
		if column >= len(row) {
			return false
		}
		_, known := label.Word(row[column])
		return !known
	})
}

// csvRows are those of a CSV.
type csvRows struct {
	csv    *csv.Reader
	comma  rune
	ragged bool // there is no header that a row could contradict
	limit  *rowLimit
	above  int // lines of the file before the first that csv has
}

func newCSVRows(text io.Reader, comma rune, ragged bool, above int) *csvRows {
	limited := &rowLimit{from: text, left: longest, line: above + 1}
	c := csv.NewReader(limited)
	c.Comma, c.ReuseRecord, c.FieldsPerRecord = comma, true, -1
	c.LazyQuotes = comma == '\t' // where nobody has to quote, names with a " stand as they are
	return &csvRows{csv: c, comma: comma, ragged: ragged, limit: limited, above: above}
}

// A rowLimit lets a reader of rows have no more than so many bytes for each.
type rowLimit struct {
	from io.Reader
	left int
	line int // that the row begins on
}

func (r *rowLimit) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, &badinput.Error{Row: r.line, What: fmt.Sprintf("longer than %d MiB", longest>>20), Fix: "shorten it, or close a quotation mark before it"}
	}
	n, err := r.from.Read(p)
	r.left -= n
	return n, err
}

func (c *csvRows) next(r *Reader, row *Row) error {
	c.limit.left = longest
	record, err := c.csv.Read()
	if err != nil {
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			syntax.StartLine, syntax.Line = syntax.StartLine+c.above, syntax.Line+c.above
		}
		return r.unreadable(err)
	}
	row.Line, _ = c.csv.FieldPos(0)
	row.Line += c.above
	c.limit.line = row.Line + 1
	if len(record) != len(r.Header) {
		if len(record) < len(r.Header) || !blank(record[len(r.Header):]) {
			if !blank(record) && (!c.ragged || len(record) > len(r.Header)) {
				return r.errWidth(row.Line, len(record), c.comma)
			}
		}
		row.Fields = make([]string, len(r.Header))
		copy(row.Fields, record)
		return nil
	}
	row.Fields = slices.Clone(record)
	return nil
}

func (c *csvRows) close() error { return nil }

// listRows are lines of a SMILES and what is said of it.
type listRows struct {
	text  *bufio.Reader
	line  int
	skip  int // so many lines that are not empty are no rows
	width int // columns: 1 or 2
}

// longest is how many bytes a row may have.
const longest = 4 << 20

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
			fields = []string{line} // a name that the first lines did not have
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

// lineFeeds turns carriage returns into line feeds.
type lineFeeds struct{ io.Reader }

func (l *lineFeeds) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	for i := range p[:n] {
		if p[i] == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}
