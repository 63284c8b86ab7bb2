package ranking

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/maphash"
	"io"

	"pacia/data/rdkit"
	"pacia/data/table"
)

// longestComputed is an upper limit of the computed cells of a row, in bytes.
const longestComputed = 1 << 16

// ErrTooMany is the error of [Table.Lines] for a table with more rows than the limit.
var ErrTooMany = errors.New("too many rows")

// Lines are the rows of a library, by which rows that were ranked before are checked.
type Lines struct {
	Rows    int // of the library
	Longest int // of the lines that a ranked row may have, in bytes

	of   *Table
	seed maphash.Seed
	rows map[uint64]int // number of rows, by their cells
}

// Lines reads a table to its end. No row can be read afterwards.
func (t *Table) Lines(ctx context.Context, most int) (*Lines, error) {
	l := &Lines{of: t, seed: maphash.MakeSeed(), rows: map[uint64]int{}}
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	for {
		row, err := t.Next()
		if errors.Is(err, io.EOF) {
			return l, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = out.Write(table.PlainAll(row.Fields))
		}
		if err != nil {
			return nil, err
		}
		if l.Rows++; l.Rows > most {
			return nil, fmt.Errorf("%w: more than %d", ErrTooMany, most)
		}
		out.Flush()
		if err := l.add(bytes.TrimSuffix(text.Bytes(), []byte("\n")), row.block != ""); err != nil {
			return nil, err
		}
		text.Reset()
	}
}

// add adds a line; drawn: its SMILES is made from a molblock.
func (l *Lines) add(line []byte, drawn bool) error {
	cells, err := table.ParseLine(line)
	l.rows[l.key(cells, drawn)]++
	length := len(line)
	if drawn {
		length += rdkit.MaxSMILES
	}
	if l.of.made > 0 {
		length += longestComputed
	}
	l.Longest = max(l.Longest, length)
	return err
}

// key returns a hash of the cells of a row without computed ones; drawn: also without its SMILES.
func (l *Lines) key(cells []string, drawn bool) uint64 {
	var h maphash.Hash
	h.SetSeed(l.seed)
	empty := 0
	for i, cell := range cells {
		computed := i >= l.of.described && i < l.of.described+l.of.made
		if cell == "" || computed || drawn && i == l.of.SMILES {
			empty++ // empty cells at the end do not count
			continue
		}
		maphash.WriteComparable(&h, [2]int{empty, len(cell)})
		_, _ = h.WriteString(cell) // never returns an error
		empty = 0
	}
	return h.Sum64()
}

// Take returns the cells of a ranked row, and reports whether it is a row of the library that was not taken before.
func (l *Lines) Take(r Ranked) (cells []string, is bool) {
	cells, err := CellsOf(r)
	if err != nil || len(cells) != r.Cells || r.Cells > len(l.of.Header) {
		return nil, false
	}
	for _, drawn := range []bool{false, true} {
		if key := l.key(cells, drawn); l.rows[key] > 0 {
			l.rows[key]--
			return cells, true
		}
	}
	return nil, false
}
