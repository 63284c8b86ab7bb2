package ranking

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"strings"

	"pacia/data/rdkit"
)

// longestComputed is an upper limit of the computed cells of a row, in bytes.
const longestComputed = 1 << 16

// ErrTooMany is the error of [Table.Lines] for a table with more rows than the limit.
var ErrTooMany = errors.New("too many rows")

// Lines are the rows of a library, by which rows that were ranked before are checked.
type Lines struct {
	Rows    int // of the library
	Longest int // length of the longest cells that a ranked row may have, in bytes as they are stored

	table *Table
	seed  maphash.Seed
	rows  map[uint64]int // number of rows, by their cells
}

// Lines reads a table to its end. No row can be read afterwards.
func (t *Table) Lines(ctx context.Context, most int) (*Lines, error) {
	l := &Lines{table: t, seed: maphash.MakeSeed(), rows: map[uint64]int{}}
	for {
		row, err := t.Next()
		if errors.Is(err, io.EOF) {
			return l, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if l.Rows++; l.Rows > most {
			return nil, fmt.Errorf("%w: more than %d", ErrTooMany, most)
		}
		l.add(row.Fields, row.block != "")
	}
}

// add adds the cells of a row; drawn: its SMILES is made from a molblock.
func (l *Lines) add(cells []string, drawn bool) {
	l.rows[l.key(cells, drawn)]++
	length := len(CellsFrom(cells))
	if drawn {
		length += rdkit.MaxSMILES
	}
	if l.table.computed > 0 {
		length += longestComputed
	}
	l.Longest = max(l.Longest, length)
}

// key returns a hash of the cells of a row without computed ones; drawn: also without its SMILES.
func (l *Lines) key(cells []string, drawn bool) uint64 {
	var h maphash.Hash
	h.SetSeed(l.seed)
	empty := 0
	for i, cell := range cells {
		computed := i >= l.table.described && i < l.table.described+l.table.computed
		if cell == "" || computed || drawn && i == l.table.SMILES {
			empty++ // empty cells at the end do not count
			continue
		}
		cell = strings.ReplaceAll(cell, "\r\n", "\n") // as earlier versions stored it
		maphash.WriteComparable(&h, [2]int{empty, len(cell)})
		_, _ = h.WriteString(cell) // never returns an error
		empty = 0
	}
	return h.Sum64()
}

// Remove removes a row with these cells, and reports whether the library has one that was not removed before.
func (l *Lines) Remove(stored Cells) bool {
	cells := stored.All(0)
	if len(cells) > len(l.table.Header) {
		return false
	}
	for _, drawn := range []bool{false, true} {
		if key := l.key(cells, drawn); l.rows[key] > 0 {
			l.rows[key]--
			return true
		}
	}
	return false
}
