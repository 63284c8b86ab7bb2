package label

import (
	"slices"
	"strings"

	"pacia/data/note"
	"pacia/internal/badinput"
)

// A Cell is a cell that is not empty, with the number of its row.
type Cell struct {
	Row  int32
	Text string
}

// CountCells counts the cells that are words, the words among them that are labels, and the cells that are
// measurements.
func CountCells(cells []Cell) (words, labels, values int) {
	for _, cell := range cells {
		if v, ok := Word(cell.Text); ok {
			words++
			if v <= Active {
				labels++
			}
		} else if IsMeasurement(cell.Text) {
			values++
		}
	}
	return words, labels, values
}

// ColumnReading is the reading of a column of a table, with its rows.
type ColumnReading struct {
	*Reading
	Rows []int32 // [n] in ascending order
	Rule *Rule   // nil: the cells are words
}

// Read reads column at of a table as task i of t.Columns; without t.Columns, one rule applies to every column.
// cells returns the cells of a column in the order of the rows. unit comes from a row
// below the header, or is empty. Errors are *badinput.Error; their row is a row of the table, from 1.
func (t Tasks) Read(h *Header, at, i int, cells func(column int) []Cell, separator Separator, unit string) (*ColumnReading, error) {
	own := cells(at)
	c := &Column{Name: h.Names[at], Rule: t.Rule(i), Separator: separator, Unit: unit, Choices: t.Choices}
	of := &ColumnReading{Rows: make([]int32, len(own)), Rule: c.Rule}
	for k, cell := range own {
		of.Rows[k] = cell.Row
		c.Cells = append(c.Cells, cell.Text)
	}
	var notes []note.Note
	if c.Rule != nil || t.Numbers {
		c.CommasBeside = func() bool { return h.commasBeside(at) }
		var err error
		if notes, err = t.readAdjacent(h, at, c, of.Rows, cells); err != nil {
			return nil, err
		}
	}
	var err error
	if c.Rule == nil && t.Numbers {
		var n note.Note
		if c.Rule, n, err = c.median(); err == nil {
			of.Rule, notes = c.Rule, append(notes, n)
		}
	}
	if err == nil {
		of.Reading, err = c.Read()
	}
	if err != nil {
		f := err.(*badinput.Error) //nolint:errorlint // as Read promises
		f.Column = h.Names[at]
		if f.Row > 0 {
			f.Row = int(of.Rows[f.Row-1]) + 1
		}
		return nil, f
	}
	of.Notes = append(notes, of.Notes...)
	return of, nil
}

// readAdjacent fills c.Signs, c.Units and c.Types from the columns that belong to column at, and notes which
// columns these are.
func (t Tasks) readAdjacent(h *Header, at int, c *Column, rows []int32, cells func(int) []Cell) (notes []note.Note, err error) {
	log := c.info().log
	for _, b := range []struct {
		role   role
		chosen string
		to     *[]string
		text   string
	}{{signRole, t.signs, &c.Signs, "signs"}, {unitRole, t.units, &c.Units, "units"}, {typeRole, t.types, &c.Types, "types"}} {
		if b.role == unitRole && log && b.chosen == "" {
			continue
		}
		found, apart, err := h.adjacent(at, b.role, b.chosen)
		if err != nil {
			return nil, err
		}
		if found < 0 {
			if b.role == signRole && b.chosen == "" {
				n, err := h.notSigns(at)
				if err != nil {
					return nil, err
				}
				notes = append(notes, n...)
			}
			for _, i := range apart {
				used := b.role == signRole && slices.ContainsFunc(h.Cells(i), isBound)
				if b.role == unitRole {
					if used, err = c.lacksUnit(h, at, i); err != nil {
						return nil, err
					}
				}
				if used {
					text := "the " + b.text + " of column " + badinput.Quote(h.Names[i]) + " are not those of " + badinput.Quote(c.Name)
					notes = append(notes, note.Note{Text: text, Switch: flagOf[b.role], Warning: true})
				}
			}
			continue
		}
		*b.to = aligned(rows, cells(found))
		notes = append(notes, note.Note{Text: b.text + " from column " + badinput.Quote(h.Names[found]), Switch: flagOf[b.role]})
	}
	return notes, nil
}

func isBound(cell string) bool {
	sign, _, ok := parseSign(cell)
	return ok && sign != '='
}

// notSigns returns an error if a column whose name is one of signs belongs to column at, and holds other marks of
// bounds, and a warning if it holds anything else.
func (h *Header) notSigns(at int) ([]note.Note, error) {
	found, _, err := h.adjacent(at, flagRole, "")
	if err != nil {
		return nil, err
	}
	if found >= 0 {
		return nil, &badinput.Error{
			Column: h.Names[at],
			What: "column " + badinput.Quote(h.Names[found]) + " may state which values are bounds, but " +
				badinput.Quote(h.Cells(found)[0]) + " in it is not a sign",
			Fix: "write <, > or = in its cells, or --sign-column none if no value is a bound",
		}
	}
	for i, name := range h.Names {
		if i == at || h.Skip(i) || h.roleOf(i) != noRole || !certainName(name) || len(h.Cells(i)) == 0 {
			continue
		}
		if own := stem(name); len(own) == 0 || stemScore(own, stem(h.Names[at])) > 0 {
			text := "column " + badinput.Quote(name) + " is not read as signs, with cells such as " + badinput.Quote(h.Cells(i)[0])
			return []note.Note{{Text: text, Switch: flagOf[signRole], Warning: true}}, nil
		}
	}
	return nil, nil
}

// lacksUnit reports whether c, column at, has values without a unit, and column apart, which belongs to other
// measurements, has units other than the threshold's. It returns an error if only the order of the columns
// indicates to which measurements these units belong.
func (c *Column) lacksUnit(h *Header, at, apart int) (bool, error) {
	info := parseName(c.Name)
	if c.ValueUnit != "" || c.Unit != "" || len(info.units)+len(info.foreign) > 0 || !slices.ContainsFunc(c.Cells, c.bare) {
		return false, nil
	}
	assumed, differ := unit{}, false
	if c.Rule != nil {
		assumed = c.Rule.unit
	}
	for _, cell := range h.Cells(apart) {
		u := unitOf(cell)
		if assumed.dimension == "" {
			assumed = u
		}
		differ = differ || u.dimension == assumed.dimension && !u.same(assumed)
	}
	owners, named := h.owners(apart, at)
	if !differ || named {
		return differ, nil
	}
	return true, &badinput.Error{
		Column: c.Name,
		What: "the unit of its values is not known: the column of units, " + badinput.Quote(h.Names[apart]) +
			", is nearer to " + badinput.Quote(h.Names[owners[0]]),
		Fix: "write --unit-column with its name, or with none",
	}
}

// aligned returns the cells of a column in the given rows; empty strings for rows without a cell.
func aligned(rows []int32, cells []Cell) []string {
	texts := make([]string, len(rows))
	k := 0
	for i, row := range rows {
		for k < len(cells) && cells[k].Row < row {
			k++
		}
		if k < len(cells) && cells[k].Row == row {
			texts[i] = strings.TrimSpace(cells[k].Text)
		}
	}
	return texts
}
