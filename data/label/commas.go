package label

import (
	"fmt"
	"strconv"
	"strings"

	"pacia/data/note"
	"pacia/internal/badinput"
)

// Forms count the numbers of a column by their forms, with the place of the first of each.
type Forms[Place any] struct {
	N     [EitherPoint + 1]int   `json:"n"`
	First [EitherPoint + 1]Place `json:"first"`
}

// Add adds a number. It calls at for the first one of a form.
func (f *Forms[Place]) Add(form Form, at func() Place) {
	if f.N[form] == 0 {
		f.First[form] = at()
	}
	f.N[form]++
}

// Join adds the numbers of later cells.
func (f *Forms[Place]) Join(later *Forms[Place]) {
	for form, n := range later.N {
		if f.N[form] == 0 {
			f.First[form] = later.First[form]
		}
		f.N[form] += n
	}
}

// formsOf counts the measurements among the cells for which counted is true; the other ones as no numbers.
func formsOf(cells []string, counted func(i int) bool) (f Forms[int]) {
	for i, cell := range cells {
		if !counted(i) {
			continue
		}
		m, ok := parseMeasurement(cell, false)
		if !ok {
			m.form = notNumber
		}
		f.Add(m.form, func() int { return i })
	}
	return f
}

// hasType reports whether a cell is of the type that counts.
func (c *Column) hasType(i int) bool {
	return c.Types == nil || strings.EqualFold(strings.TrimSpace(c.Types[i]), c.Type)
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
	t := formsOf(c.Cells, c.hasType)
	points := t.N // counts of cells that a person may have typed
	if c.Separator == Stored {
		points = formsOf(c.Cells, func(i int) bool { return c.hasType(i) && !stored(c.Cells[i]) }).N
	}
	proofs, against := t.N[CommaDecimal] > 0, points[PointDecimal] > 0
	switch {
	case proofs && against:
		return false, c.ask(t, CommaDecimal, PointDecimal)
	case proofs && t.N[EitherPoint] > points[EitherPoint]: // 12.345, stored or typed
		return false, c.ask(t, CommaDecimal, EitherPoint)
	case proofs:
		r.noteNumbers("commas are before decimals", c, t, CommaDecimal, EitherComma)
		if points[EitherPoint] > 0 {
			r.noteNumbers("points are between thousands", c, t, EitherPoint, EitherPoint)
		}
		return true, nil
	case against:
		if t.N[EitherComma] > 0 {
			r.noteNumbers("commas are between thousands", c, t, EitherComma, EitherComma)
		}
		return false, nil
	case t.N[EitherComma] > 0 && points[EitherPoint] > 0:
		return false, c.ask(t, EitherComma, EitherPoint)
	case t.N[EitherComma] > 0 && (c.Separator != OtherSeparator || c.commasBeside()): // in a workbook it is a text
		return false, c.ask(t, EitherComma, EitherComma)
	case points[EitherPoint] > 0 && (c.Separator != OtherSeparator || t.N[digits] > 0 || c.commasBeside()):
		// 250 beside 1.000: perhaps thousands
		return false, c.ask(t, EitherPoint, EitherPoint)
	case t.N[EitherComma] > 0:
		r.noteNumbers("commas are between thousands, as three digits follow each", c, t, EitherComma, EitherComma)
	case points[EitherPoint] > 0:
		r.noteNumbers("points are before decimals", c, t, EitherPoint, EitherPoint)
	}
	return false, nil
}

func (c *Column) commasBeside() bool { return c.CommasBeside != nil && c.CommasBeside() }

// haveCommas reports whether the cells of a column are numbers, some of them with decimal commas and none with a
// decimal point.
func haveCommas(cells []string) bool {
	n := formsOf(cells, func(int) bool { return true }).N
	return n[CommaDecimal] > 0 && n[PointDecimal] == 0 && 2*n[notNumber] < len(cells)
}

// noteNumbers notes how numbers of two forms are read, with an example.
func (r *Reading) noteNumbers(text string, c *Column, t Forms[int], forms ...Form) {
	example := forms[0]
	if last := forms[len(forms)-1]; t.N[last] > 0 {
		example = last
	}
	cell := strings.TrimSpace(c.Cells[t.First[example]])
	m, _ := parseMeasurement(cell, strings.HasPrefix(text, "commas are before") || strings.HasPrefix(text, "points are between"))
	r.Notes = append(r.Notes, note.Note{Text: fmt.Sprintf("%s: %s is %v", text, cell, m.value), Switch: "--decimal"})
}

// ask returns the error for numbers that can be read in two ways.
func (c *Column) ask(t Forms[int], a, b Form) error {
	e := &badinput.Error{Row: t.First[a] + 1, Fix: "write --decimal . or --decimal ,"}
	cell := strings.TrimSpace(c.Cells[t.First[a]])
	if a != b {
		e.What = fmt.Sprintf("commas and points are before decimals, or between thousands: %s and %s", badinput.Quote(cell), badinput.Quote(strings.TrimSpace(c.Cells[t.First[b]])))
		return e
	}
	small, _ := parseMeasurement(cell, a == EitherComma)
	large, _ := parseMeasurement(cell, a != EitherComma)
	e.What = fmt.Sprintf("%s may be %v or %v", badinput.Quote(cell), small.value, large.value)
	return e
}
