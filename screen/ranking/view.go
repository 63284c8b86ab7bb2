package ranking

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pacia/data/table"
	"pacia/internal/each"
	"pacia/internal/ordered"
)

// A View is a ranking as it is shown.
type View struct {
	*Spill
	Columns []Column // which follow those of the library

	library []string              // the names of its columns
	shown   func(float32) float64 // a probability as it is shown
}

// View returns a ranking of a library with these columns. Shown converts probabilities for display and does not affect
// the order.
func (s *Spill) View(library []string, shown func(float32) float64) *View {
	return &View{Spill: s, Columns: s.columns(), library: library, shown: shown}
}

// columns returns the columns of a ranking.
func (l *Layout) columns() []Column {
	all := each.If(columns, func(c Column) bool { return !c.Stored && (c.Has == nil || c.Has(l)) })
	return slices.Concat(all, againstColumns(l.Against), l.Extra)
}

// Names returns the names of the columns of a ranking.
func (l *Layout) Names() []string {
	return each.Of(l.columns(), func(c Column) string { return c.Name })
}

// ColumnNamed returns the column with a name, of those that any ranking may have; nil if there is none.
func ColumnNamed(name string) *Column {
	for i := range columns {
		if columns[i].Name == name && !columns[i].Stored {
			return &columns[i]
		}
	}
	return nil
}

// Header returns the names of the columns of the ranked table.
func (v *View) Header() []string { return slices.Concat(v.library, v.Names()) }

// appendCell appends the cell of a row.
func (c *Column) appendCell(to []byte, v *View, r *Ranked) []byte {
	if c.Cell != nil {
		return c.Cell(to, v, r)
	}
	switch at := c.Number(&r.Score).(type) {
	case *float32:
		return c.Format(to, *at)
	case *int32:
		return strconv.AppendInt(to, int64(*at), 10)
	case *bool:
		if *at {
			return append(to, "yes"...)
		}
		return append(to, "no"...)
	}
	return to
}

// HasMember reports whether the column is a member of rows in JSON.
func (c *Column) HasMember() bool { return c.Value != nil || c.Number != nil && !c.Part }

// value returns the value of a row in JSON.
func (c *Column) value(v *View, r *Ranked) any {
	switch {
	case c.Value != nil:
		return c.Value(v, r)
	case !c.HasMember():
		return nil
	}
	switch at := c.Number(&r.Score).(type) {
	case *float32:
		return *at
	case *int32:
		return *at
	case *bool:
		return *at
	}
	return nil
}

// Order returns the number by which the column sorts rows.
func (c *Column) Order(r *Ranked) float64 {
	if c.Key != nil {
		return c.Key(r)
	}
	return float64(*c.Number(&r.Score).(*float32))
}

// Cells returns the cells of a row of the ranked table.
func (v *View) Cells(r *Ranked) []string {
	all := r.Cells.All(len(v.library))
	for i := range v.Columns {
		all = append(all, string(v.Columns[i].appendCell(nil, v, r)))
	}
	return all
}

// AppendRow appends a row of the ranked table to a line, as CSV without the line end.
func (v *View) AppendRow(line []byte, r *Ranked) []byte {
	line = r.Cells.appendLine(line, len(v.library))
	var room [64]byte
	for i := range v.Columns {
		cell := v.Columns[i].appendCell(room[:0], v, r)
		line = append(line, ',')
		if bytes.ContainsAny(cell, "(|!,\"\r\n") || len(cell) > 0 && len(bytes.TrimSpace(cell)) < len(cell) {
			line = appendQuoted(line, table.Plain(string(cell)), true)
		} else {
			line = append(line, cell...)
		}
	}
	return line
}

// appendQuoted appends a cell to a line of CSV, in quotation marks where package csv writes them and, if ends, where a
// blank is at its end.
func appendQuoted(line []byte, cell string, ends bool) []byte {
	blank := strings.TrimLeftFunc(cell, unicode.IsSpace) != cell || ends && strings.TrimSpace(cell) != cell
	if cell != `\.` && !blank && !strings.ContainsAny(cell, ",\"\r\n") {
		return append(line, cell...)
	}
	line = append(line, '"')
	for _, c := range []byte(cell) {
		if c == '"' {
			line = append(line, '"')
		}
		line = append(line, c)
	}
	return append(line, '"')
}

// Line returns a line of CSV without the line end.
func Line(cells []string) []byte { return CellsFrom(cells).appendLine(nil, 0) }

// WriteRanked writes the ranked table: the header and the rows with the added columns, in the order of
// [Spill.Each]. Shown converts probabilities for display and does not affect the order. The function each,
// which may be nil, is called with every row, including those beyond [Spill.Top].
func (s *Spill) WriteRanked(w io.Writer, library []string, shown func(float32) float64, each func(Ranked)) error {
	v, out := s.View(library, shown), bufio.NewWriterSize(w, 1<<20)
	line := append(Line(v.Header()), '\n')
	_, _ = out.Write(line) // Flush reports errors
	var row Ranked
	err := s.Each(func(r Ranked) error {
		if each != nil {
			each(r)
		}
		if s.Top != 0 && r.Rank > s.Top && s.Picked[r.Number] == 0 {
			return nil
		}
		row = r
		line = append(v.AppendRow(line[:0], &row), '\n')
		_, err := out.Write(line)
		return err
	})
	return errors.Join(err, out.Flush())
}

// Members returns the values of a row in JSON, without those that it lacks.
func (v *View) Members(r *Ranked) (all ordered.Object) {
	for i := range v.Columns {
		c := &v.Columns[i]
		if value := c.value(v, r); value != nil {
			all = append(all, ordered.Member{Name: cmp.Or(c.Member, c.Name), Value: value})
		}
	}
	return all
}

// A neighbor is the most similar support molecule of a class.
type neighbor struct {
	Name     string  `json:"name,omitempty"`
	SMILES   string  `json:"smiles"`
	Tanimoto float32 `json:"tanimoto"`
}

func (v *View) neighbor(i int32, tanimoto float32) neighbor {
	return neighbor{Name: v.Nearest.Names[i], SMILES: v.Nearest.SMILES[i], Tanimoto: tanimoto}
}

// Called returns the name of molecule i of the support set or, if it has none, its SMILES.
func (s *Support) Called(i int32) string {
	if i < 0 || int(i) >= len(s.Names) {
		return "" // only in damaged rows, which their checksum will reveal
	}
	if name := s.Names[i]; name != "" {
		return name
	}
	return s.SMILES[i]
}
