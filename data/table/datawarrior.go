package table

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
)

// dataWarriorLike reports whether a text is a DataWarrior file (.dwar): a table of cells separated by tabs, between
// sections that begin and end with names in angle brackets.
func dataWarriorLike(begin []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(begin, " \r\n"), []byte("<datawarrior-fileinfo>"))
}

// section matches a line that begins a section, such as <column properties> or <hitlist data>.
var section = regexp.MustCompile(`^<([a-zA-Z][a-zA-Z -]*)>\s*$`)

// A dataWarrior is the text of the table. Lines of the sections before it are empty, so that rows keep their
// numbers, and the table ends where the first section after it begins.
type dataWarrior struct {
	text    *bufio.Reader
	inside  string // the section that is being read
	begun   bool   // the table has begun
	more    bool   // the last line was longer than the buffer
	ended   bool
	rest    []byte   // of the line that was read last
	column  string   // whose properties are read
	idcodes []string // columns of structures in DataWarrior's own code
}

func (d *dataWarrior) Read(p []byte) (int, error) {
	for len(d.rest) == 0 {
		if d.ended {
			return 0, io.EOF
		}
		if err := d.line(); err != nil {
			return 0, err
		}
	}
	n := copy(p, d.rest)
	d.rest = d.rest[n:]
	return n, nil
}

// line reads a line, or a part of one that is longer than the buffer.
func (d *dataWarrior) line() error {
	line, err := d.text.ReadSlice('\n')
	if len(line) == 0 && err != nil {
		return err
	}
	whole := !d.more
	d.more = errors.Is(err, bufio.ErrBufferFull)
	if !whole {
		if d.begun {
			d.rest = line
		}
		return nil
	}
	if d.begun {
		if d.ended = section.Match(line); !d.ended {
			d.rest = line
		}
		return nil
	}
	text := strings.TrimSpace(string(line[:min(len(line), 4096)]))
	switch begins := section.FindStringSubmatch(text); {
	case d.inside != "":
		d.property(text)
		if text == "</"+d.inside+">" {
			d.inside = ""
		}
	case begins != nil:
		d.inside = begins[1]
	case text != "" && !strings.HasPrefix(text, "<"):
		d.begun, d.rest = true, line
		return nil
	}
	d.rest = []byte("\n")
	return nil
}

// property keeps the names of columns with idcodes.
func (d *dataWarrior) property(line string) {
	if name, is := strings.CutPrefix(line, `<columnName="`); is {
		d.column = strings.TrimSuffix(name, `">`)
	}
	if line == "<columnProperty=\"specialType\tidcode\">" {
		d.idcodes = append(d.idcodes, d.column)
	}
}
