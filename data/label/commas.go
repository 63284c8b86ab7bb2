package label

import (
	"fmt"
	"strconv"
	"strings"

	"pacia/data/note"
	"pacia/internal/badinput"
)

// A tally counts how the numbers of a column are written, with the first cell of each form.
type tally struct {
	n     [eitherPoint + 1]int
	text  [eitherPoint + 1]int // among them, those that a workbook cannot have stored as numbers
	first [eitherPoint + 1]int
}

func (c *Column) tally() (t tally) {
	for i, cell := range c.Cells {
		if c.Types != nil && !strings.EqualFold(strings.TrimSpace(c.Types[i]), c.Type) {
			continue
		}
		if m, ok := parseMeasurement(cell, false); ok {
			if t.n[m.form] == 0 {
				t.first[m.form] = i
			}
			t.n[m.form]++
			if !stored(cell) {
				t.text[m.form]++
			}
		}
	}
	return t
}

// shownSpace is a space that nobody types. It stands between a number that a workbook stores and a unit that only the
// cell's format shows.
const shownSpace = "\u200a"

// WithUnit returns the cell of a number that a workbook stores and shows with a unit.
func WithUnit(number, unit string) string { return number + shownSpace + unit }

// stored reports whether a cell has the form in which a workbook stores a number: the shortest one.
func stored(cell string) bool {
	cell, _, _ = strings.Cut(cell, shownSpace)
	v, err := strconv.ParseFloat(cell, 64)
	return err == nil && (strings.ContainsAny(cell, "eE") || strconv.FormatFloat(v, 'f', -1, 64) == cell)
}

// commas reports whether a comma in an ambiguous number is a decimal comma. It returns an error if the cells
// contradict each other, or if two readings of them are equally likely.
func (c *Column) commas(r *Reading) (bool, error) {
	if c.Decimal != 0 {
		return c.Decimal == ',', nil
	}
	t := c.tally()
	points := t.n // counts of cells that a person may have typed
	if c.Separator == Stored {
		points = t.text
	}
	proofs, against := t.n[commaDecimal] > 0, points[pointDecimal] > 0
	switch {
	case proofs && against:
		return false, c.ask(t, commaDecimal, pointDecimal)
	case proofs && t.n[eitherPoint] > points[eitherPoint]: // 12.345, stored or typed
		return false, c.ask(t, commaDecimal, eitherPoint)
	case proofs:
		r.noteNumbers("commas are before decimals", c, t, commaDecimal, eitherComma)
		if points[eitherPoint] > 0 {
			r.noteNumbers("points are between thousands", c, t, eitherPoint, eitherPoint)
		}
		return true, nil
	case against:
		if t.n[eitherComma] > 0 {
			r.noteNumbers("commas are between thousands", c, t, eitherComma, eitherComma)
		}
		return false, nil
	case t.n[eitherComma] > 0 && points[eitherPoint] > 0:
		return false, c.ask(t, eitherComma, eitherPoint)
	case t.n[eitherComma] > 0 && (c.Separator != OtherSeparator || c.commasBeside()): // in a workbook it is a text
		return false, c.ask(t, eitherComma, eitherComma)
	case points[eitherPoint] > 0 && (c.Separator != OtherSeparator || t.n[digits] > 0 || c.commasBeside()):
		// 250 beside 1.000: perhaps thousands
		return false, c.ask(t, eitherPoint, eitherPoint)
	case t.n[eitherComma] > 0:
		r.noteNumbers("commas are between thousands, as three digits follow each", c, t, eitherComma, eitherComma)
	case points[eitherPoint] > 0:
		r.noteNumbers("points are before decimals", c, t, eitherPoint, eitherPoint)
	}
	return false, nil
}

func (c *Column) commasBeside() bool { return c.CommasBeside != nil && c.CommasBeside() }

// haveCommas reports whether the cells of a column are numbers, some of them with decimal commas and none with a
// decimal point.
func haveCommas(cells []string) bool {
	numbers, commas := 0, 0
	for _, cell := range cells {
		m, ok := parseMeasurement(cell, false)
		switch {
		case !ok:
			continue
		case m.form == pointDecimal:
			return false
		case m.form == commaDecimal:
			commas++
		}
		numbers++
	}
	return commas > 0 && numbers*2 > len(cells)
}

// noteNumbers notes how numbers of two forms are read, with an example.
func (r *Reading) noteNumbers(text string, c *Column, t tally, forms ...form) {
	example := forms[0]
	if last := forms[len(forms)-1]; t.n[last] > 0 {
		example = last
	}
	cell := strings.TrimSpace(c.Cells[t.first[example]])
	m, _ := parseMeasurement(cell, strings.HasPrefix(text, "commas are before") || strings.HasPrefix(text, "points are between"))
	r.Notes = append(r.Notes, note.Note{Text: fmt.Sprintf("%s: %s is %v", text, cell, m.value), Switch: "--decimal"})
}

// ask returns the error for numbers that can be read in two ways.
func (c *Column) ask(t tally, a, b form) error {
	e := &badinput.Error{Row: t.first[a] + 1, Fix: "write --decimal . or --decimal ,"}
	cell := strings.TrimSpace(c.Cells[t.first[a]])
	if a != b {
		e.What = fmt.Sprintf("commas and points are before decimals, or between thousands: %s and %s", badinput.Quote(cell), badinput.Quote(strings.TrimSpace(c.Cells[t.first[b]])))
		return e
	}
	small, _ := parseMeasurement(cell, a == eitherComma)
	large, _ := parseMeasurement(cell, a != eitherComma)
	e.What = fmt.Sprintf("%s may be %v or %v", badinput.Quote(cell), small.value, large.value)
	return e
}
