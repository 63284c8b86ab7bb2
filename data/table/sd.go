package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"pacia/data/note"
	"pacia/data/rdkit"
	"pacia/internal/badinput"
)

const maxRecord = longest // bytes of a record

// sdLike reports whether a text begins like an SD file: its fourth line, or one beside it, ends in the version of the
// format, or the text begins with the numbers of atoms and bonds and a molblock ends below.
func sdLike(begin []byte) bool {
	n := 0
	for line := range bytes.Lines(begin) {
		line = bytes.TrimRight(line, "\r\n \t")
		if n++; n > 6 {
			break
		}
		if n == 4 && len(line) >= 6 && counts(line[:6]) && bytes.Contains(begin, []byte("M  END")) {
			return true
		}
		if n >= 3 && len(line) >= 11 && counts(line[:6]) && (bytes.HasSuffix(line, []byte("V2000")) || bytes.HasSuffix(line, []byte("V3000"))) {
			return true
		}
	}
	return false
}

// counts reports whether a text consists of digits and spaces, with at least two digits.
func counts(text []byte) bool {
	digits := 0
	for _, c := range text {
		if c >= '0' && c <= '9' {
			digits++
		} else if c != ' ' {
			return false
		}
	}
	return digits > 1
}

// almostSD returns an error if a text contains the last line of a molblock, but is not an SD file.
func (r *Reader) almostSD(begin []byte) error {
	for line := range bytes.Lines(begin) {
		if rdkit.IsBlockEnd(string(bytes.TrimRight(line, "\r\n"))) {
			const what = "an SD file whose fourth line does not count atoms and bonds"
			return &badinput.Error{File: r.Name, What: what, Fix: "remove what is above the first record, or export the file again"}
		}
	}
	return nil
}

// sdRows reads the records of an SD file. A record is a molblock, whose first line is a name, and
// data fields. A data field is a line "> <NAME>", the lines of its value and an empty line.
type sdRows struct {
	text    *bufio.Reader
	records int
	columns map[string]int // of data fields
	name    int            // column of the molblock's first line; −1: all were empty so far
	field   bool           // molecules are SMILES in a data field, and not the molblocks
}

// openSD prepares reading. The header has the columns of the records in begin; further columns
// are added when they occur.
func (r *Reader) openSD(text *bufio.Reader, begin []byte, o Options) error {
	r.Form = SDFile
	r.Notes = append(r.Notes, note.Note{Text: string(SDFile)})
	if end := bytes.LastIndex(begin, []byte("\n$$$$")); end >= 0 {
		begin = begin[:end] // whole records
	} else {
		begin = begin[:bytes.LastIndexByte(begin, '\n')+1]
	}
	r.Header, r.SMILES = []string{"smiles"}, 0
	rows, first := r.sdBegin(begin, false)
	field, err := r.moleculesField(first, o)
	if err != nil {
		return err
	}
	if field != "" {
		r.Header = nil
		rows, _ = r.sdBegin(begin, true)
		r.SMILES = Column(r.Header, field)
	}
	rows.text, rows.records = text, 0
	r.rows = rows
	return nil
}

// sdBegin reads the first records, with which the header grows.
func (r *Reader) sdBegin(begin []byte, field bool) (*sdRows, []Row) {
	rows := &sdRows{text: bufio.NewReader(bytes.NewReader(begin)), columns: map[string]int{}, name: -1, field: field}
	var first []Row
	for len(first) < 1000 {
		var row Row
		if rows.next(r, &row) != nil {
			break // an error occurs again when the record is read
		}
		first = append(first, row)
	}
	return rows, first
}

func (s *sdRows) next(r *Reader, row *Row) error {
	var block []string
	fields := make([]string, len(r.Header))
	field, inBlock, begun, titled := -1, true, false, false
	s.records++
	for lines, size := 0, 0; ; lines++ {
		line, err := readLine(s.text)
		switch {
		case errors.Is(err, io.EOF) && begun:
			line = "$$$$" // the last one may end without it
		case errors.Is(err, io.EOF):
			return io.EOF
		case errors.Is(err, errLong):
			return s.fault(r, err.Error())
		case err != nil:
			return r.unreadable(err)
		}
		if size += len(line); size > maxRecord {
			return s.fault(r, fmt.Sprintf("a record of more than %d bytes", maxRecord))
		}
		begun = begun || strings.TrimSpace(line) != ""
		inBlock = inBlock && (lines <= 3 || !strings.HasPrefix(line, ">")) // a block may lack its end
		if over := !inBlock || strings.HasPrefix(line, "$$$$"); over && !titled {
			fields, titled = s.title(r, fields, titleOf(block)), true
		}
		switch {
		case strings.HasPrefix(line, "$$$$"):
			if row.Line, row.Fields = s.records, fields; !s.field {
				row.Block = strings.Join(append(block, ""), "\n")
			}
			return nil
		case inBlock:
			block = append(block, line)
			inBlock = !rdkit.IsBlockEnd(line)
		case field < 0 && strings.HasPrefix(line, ">"), fieldHead.MatchString(line): // in a value, ">10000" is a measurement
			if field, err = s.column(r, line); err != nil {
				return err
			}
			for len(fields) < len(r.Header) {
				fields = append(fields, "")
			}
		case strings.TrimSpace(line) == "":
			field = -1
		case field >= 0 && fields[field] != "":
			fields[field] += "\n" + line
		case field >= 0:
			fields[field] = line
		}
	}
}

// titleOf returns the name of a molblock, its first line.
func titleOf(block []string) string {
	if at := rdkit.CountsLine(block); at >= 3 {
		return strings.TrimSpace(block[at-3])
	}
	if len(block) == 0 {
		return ""
	}
	return strings.TrimSpace(block[0])
}

// fieldHead matches the head of a data field that does not need an empty line above it. It may have a number of the
// record or of a registry, such as (A1), and a number of the field, such as DT12.
var fieldHead = regexp.MustCompile(`^>\s*<[^<>]+>\s*(?:(?:\([^()]*\)|DT\d+)\s*)*$`)

func (s *sdRows) column(r *Reader, line string) (int, error) {
	begin, end := strings.IndexByte(line, '<'), strings.LastIndexByte(line, '>')
	name := strings.TrimSpace(line[1:])
	if begin >= 0 && end > begin {
		name = line[begin+1 : end]
	}
	if at, ok := s.columns[name]; ok {
		return at, nil
	}
	if len(r.Header) >= maxColumns {
		return 0, s.fault(r, fmt.Sprintf("more than %d data fields", maxColumns))
	}
	name = strings.Clone(name)
	s.columns[name] = r.add(name)
	return s.columns[name], nil
}

// title stores a molblock's name in its column.
func (s *sdRows) title(r *Reader, fields []string, title string) []string {
	if title == "" {
		return fields
	}
	if s.name < 0 {
		s.name = r.add("name")
	}
	for len(fields) <= s.name {
		fields = append(fields, "")
	}
	fields[s.name] = strings.Clone(title)
	return fields
}

// add appends a column to the header. If its name is already used, a number is added to it.
func (r *Reader) add(name string) int {
	unique := name
	for n := 2; slices.ContainsFunc(r.Header, func(h string) bool { return strings.EqualFold(h, unique) }); n++ {
		unique = fmt.Sprintf("%s_%d", name, n)
	}
	r.Header = append(r.Header, unique)
	return len(r.Header) - 1
}

func (s *sdRows) fault(r *Reader, what string) error {
	return &badinput.Error{File: r.Name, Row: s.records, What: what, Fix: "give an SD file, each record ended by $$$$"}
}

func (s *sdRows) close() error { return nil }
