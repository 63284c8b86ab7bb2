package ranking

import (
	"context"
	"errors"
	"fmt"
	"io"

	"pacia/data/table"
	"pacia/internal/badinput"
)

// A Survey holds the places of the rows of a library, by which it can be cut into parts.
type Survey struct {
	Rows int64

	files  []surveyed
	marks  []mark // of every stride-th row, from row 0 on
	stride int64
}

// surveyed is one file of a library.
type surveyed struct {
	first, rows int64 // number of rows before the file, and in it
	skips       bool  // a reader can begin at any row of the file
	grows       bool  // the file's columns are known only after it was read
}

// mark is the place of a row.
type mark struct {
	row  int64 // of the library, from 0
	file int
	at   table.Position // zero if a reader cannot begin there
}

// maxMarks is the maximum number of marks of a survey: 20 MB.
const maxMarks = 1 << 19

// NewSurvey finds the rows of files. It reads the files to their ends, but does not parse rows of plain text
// (table.Reader.Scan). Parts will begin at multiples of chunk rows.
func NewSurvey(ctx context.Context, paths []string, o Options, chunk int) (*Survey, error) {
	t, err := Open(ctx, paths, o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	s := &Survey{stride: int64(max(1, chunk))}
	for i, f := range t.files {
		from := surveyed{first: s.Rows, skips: f.CanSkip(), grows: f.Form == "SD file"}
		if from.skips {
			err = f.Scan(func(at table.Position) error { s.add(i, at); return ctx.Err() })
		} else {
			err = s.count(i, f)
		}
		if err != nil {
			return nil, err
		}
		from.rows = s.Rows - from.first
		s.files = append(s.files, from)
	}
	return s, nil
}

// count adds the rows of a file that table.Reader.Scan cannot scan.
func (s *Survey) count(file int, f *tableFile) error {
	for {
		_, err := f.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		s.add(file, table.Position{})
	}
}

func (s *Survey) add(file int, at table.Position) {
	if s.Rows%s.stride == 0 {
		s.marks = append(s.marks, mark{s.Rows, file, at})
	}
	if s.Rows++; len(s.marks) < maxMarks {
		return
	}
	for i := range len(s.marks) / 2 {
		s.marks[i] = s.marks[2*i]
	}
	s.marks, s.stride = s.marks[:len(s.marks)/2], 2*s.stride
}

// A Part is a run of rows of a library.
type Part struct {
	First  int64   `json:"first"` // number of rows before it
	Rows   int64   `json:"rows"`
	Pieces []Piece `json:"pieces"`
}

// A Piece is the rows of a part that are in one file.
type Piece struct {
	File   int   `json:"file"`             // of the library, from 0
	Offset int64 `json:"offset,omitempty"` // where reading begins, in bytes; 0: at the first row
	Line   int   `json:"line,omitempty"`   // number of lines before that
	Skip   int64 `json:"skip,omitempty"`   // number of rows that are read and discarded
	Rows   int64 `json:"rows"`
}

// Cut returns n parts of about the same number of rows, in the order of the library. A short library has fewer
// parts. No part is empty, except the only part of an empty library.
func (s *Survey) Cut(n int) []Part {
	n = max(1, min(n, len(s.marks)))
	parts := make([]Part, n)
	for i := range parts {
		var from mark
		if len(s.marks) > 0 {
			from = s.marks[i*len(s.marks)/n]
		}
		end := s.Rows
		if i+1 < n {
			end = s.marks[(i+1)*len(s.marks)/n].row
		}
		parts[i] = s.part(from, end)
	}
	return parts
}

// part returns the part from a mark to the row end, exclusive.
func (s *Survey) part(from mark, end int64) Part {
	p := Part{First: from.row, Rows: end - from.row}
	for i, f := range s.files {
		begin, stop := max(f.first, from.row), min(f.first+f.rows, end)
		piece := Piece{File: i, Rows: max(0, stop-begin)}
		switch {
		case f.grows && f.first+f.rows <= from.row:
			piece.Skip, piece.Rows = f.rows, 0 // all parts need its columns
		case piece.Rows == 0:
			continue
		case begin == f.first: // from the beginning
		case f.skips && i == from.file:
			piece.Offset, piece.Line = from.at.Offset, from.at.Line
		default:
			piece.Skip = begin - f.first
		}
		p.Pieces = append(p.Pieces, piece)
	}
	return p
}

// Only restricts t to a part. It must be called before the first row is read.
func (t *Table) Only(p Part) error {
	for _, f := range t.files {
		f.limited = true
	}
	for _, piece := range p.Pieces {
		if piece.File >= len(t.files) {
			return fmt.Errorf("a part of file %d, of %d", piece.File, len(t.files))
		}
		f := t.files[piece.File]
		f.skip, f.remaining = piece.Skip, piece.Rows
		if piece.Offset == 0 {
			continue
		}
		if !f.CanSkip() {
			return Changed(f.Name)
		}
		f.Skip(table.Position{Offset: piece.Offset, Line: piece.Line})
	}
	return nil
}

// Changed returns the error of a file that has changed since the library was cut.
func Changed(name string) error {
	return &badinput.Error{File: name, What: "has changed since the library was cut into parts", Fix: "remove the folder of the parts, and give the command again"}
}
