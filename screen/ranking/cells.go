package ranking

import (
	"encoding/binary"

	"pacia/data/table"
)

// Cells are the cells of a row in the library's columns as they are stored: the length of each, as a varint, before its
// text. The empty cells of the last columns may be missing.
type Cells []byte

// CellsFrom returns stored cells.
func CellsFrom(cells []string) (stored Cells) {
	for _, cell := range cells {
		stored = appendText(stored, cell)
	}
	return stored
}

func appendText[T string | []byte](to []byte, text T) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// next splits stored texts into the first one and the others. sound: there is one.
func next(texts []byte) (first, others []byte, sound bool) {
	n, size := binary.Uvarint(texts)
	if size <= 0 || n > uint64(len(texts)-size) {
		return nil, nil, false
	}
	return texts[size : size+int(n)], texts[size+int(n):], true
}

// count returns the number of cells, or −1 for bytes that are not cells.
func (c Cells) count() (n int) {
	for len(c) > 0 {
		_, others, sound := next(c)
		if !sound {
			return -1
		}
		c = others
		n++
	}
	return n
}

// At returns the cell of a column; empty if the row has none.
func (c Cells) At(column int) string {
	for ; len(c) > 0; column-- {
		cell, others, _ := next(c)
		if column == 0 {
			return string(cell)
		}
		c = others
	}
	return ""
}

// All returns the cells of all columns.
func (c Cells) All(columns int) []string {
	all := make([]string, 0, columns)
	for len(c) > 0 {
		cell, others, _ := next(c)
		all, c = append(all, string(cell)), others
	}
	for len(all) < columns {
		all = append(all, "")
	}
	return all
}

// appendLine appends the cells of all columns to a line, in the form of package csv. Cells that a spreadsheet would
// compute become texts ([table.Plain]).
func (c Cells) appendLine(line []byte, columns int) []byte {
	for i := 0; i < columns || len(c) > 0; i++ {
		var cell []byte
		if cell, c, _ = next(c); i > 0 {
			line = append(line, ',')
		}
		line = appendQuoted(line, table.Plain(string(cell)), false)
	}
	return line
}
