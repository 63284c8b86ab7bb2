package label

import (
	"fmt"
	"slices"
	"strings"

	"pacia/internal/badinput"
)

// A Column is read as a whole.
type Column struct {
	Name    string   // in the header, which may name a unit
	Rule    *Rule    // nil: the cells are words
	Decimal byte     // '.' or ','; 0: told from the cells
	Commas  bool     // the file's cells are separated by commas
	Cells   []string // [N]
	Signs   []string // [N] "<", ">" or "=" from a column beside it; nil: in the cells
	Units   []string // [N] the same of units

	Told string // by Read: that commas are decimal signs, where there are any
}

// A CellError says which cell cannot be read.
type CellError struct {
	Row  int // of Cells
	What string
	Fix  string
}

func (e *CellError) Error() string { return e.What + "; " + e.Fix }

// Read returns what each cell says. The error is a *CellError.
func (c *Column) Read() ([]Verdict, error) {
	verdicts := make([]Verdict, len(c.Cells))
	comma := c.Decimal
	switch comma {
	case 0:
		comma = commas(c.Cells, c.Commas)
	case decimalComma:
		comma = commaAlone
	}
	if c.Rule != nil && comma != decimalPoint && c.Decimal == 0 && slices.ContainsFunc(c.Cells, func(cell string) bool { return strings.Contains(cell, ",") }) {
		c.Told = "decimal commas"
	}
	for i, cell := range c.Cells {
		var err error
		if c.Rule == nil {
			verdicts[i], err = c.word(cell)
		} else {
			verdicts[i], err = c.measured(i, comma)
		}
		if err != nil {
			e, ok := err.(*CellError) //nolint:errorlint // made a few lines below
			if !ok {
				e = &CellError{What: err.Error(), Fix: "correct the cell, or leave it empty"}
			}
			e.Row = i
			return nil, e
		}
	}
	return verdicts, nil
}

func (c *Column) word(cell string) (Verdict, error) {
	if v, ok := Word(cell); ok {
		return v, nil
	}
	cell = strings.TrimSpace(cell)
	if _, err := parseMeasurement(cell, ','); err == nil {
		return 0, &CellError{What: fmt.Sprintf("label %s is a measurement", badinput.Quote(cell)),
			Fix: "say what is active with --active-below or --active-above and --unit, or choose another column with --label"}
	}
	return 0, &CellError{What: fmt.Sprintf("label %s is neither active nor inactive", badinput.Quote(cell)),
		Fix: "write " + Known + ", or leave the cell empty"}
}

func (c *Column) measured(i int, comma byte) (Verdict, error) {
	cell := strings.TrimSpace(c.Cells[i])
	if v, ok := words[strings.ToLower(cell)]; ok && v >= Missing || cell == "-" || cell == "–" || cell == "−" {
		return max(v, Missing), nil
	}
	m, err := parseMeasurement(cell, comma)
	if err != nil {
		return 0, &CellError{What: fmt.Sprintf("%s cannot be read as a measurement", badinput.Quote(cell)),
			Fix: "write a number, perhaps with <, > and a unit such as uM, or leave the cell empty"}
	}
	if c.Signs != nil {
		sign, orEq, ok := parseSign(c.Signs[i])
		if !ok {
			return 0, &CellError{What: fmt.Sprintf("sign %s is not known", badinput.Quote(c.Signs[i])), Fix: "write <, >, = or leave it empty"}
		}
		if m.sign == '=' {
			m.sign, m.orEq = sign, orEq
		}
	}
	u, err := c.unitOf(i, m)
	if err != nil {
		return 0, err
	}
	return c.Rule.decide(m, u)
}

// unitOf returns the unit of a value: its own, that of the column beside it, of the
// header, or of the threshold.
func (c *Column) unitOf(i int, m measurement) (unit, error) {
	u := m.unit
	if u.of == "" && c.Units != nil {
		var ok bool
		if u, ok = parseUnit(c.Units[i]); !ok {
			return u, &CellError{What: fmt.Sprintf("unit %s is not known", badinput.Quote(c.Units[i])), Fix: "write M, mM, uM, nM, pM, mg/l, ug/ml, g/l or %"}
		}
	}
	header := ofHeader(c.Name)
	if u.of == "" {
		u = header
	}
	switch {
	case u.of == "":
		return c.Rule.unit, nil
	case c.Rule.unit.of == "" && header.of == "":
		return u, &CellError{What: fmt.Sprintf("%s has a unit, and the threshold has none", badinput.Quote(strings.TrimSpace(c.Cells[i]))), Fix: "write --unit, that of the threshold"}
	case c.Rule.unit.of == "" && u != header:
		return u, &CellError{What: fmt.Sprintf("%s has another unit than the column", badinput.Quote(strings.TrimSpace(c.Cells[i]))), Fix: "write --unit, that of the threshold"}
	}
	return u, nil
}

// What commas and points in the numbers of a column are.
const (
	decimalPoint = '.' // commas part thousands
	decimalComma = ',' // so are points
	commaAlone   = ';' // points before three digits part thousands
)

// commas tells it. separators: the file's cells are separated by commas, so that
// nobody writes decimal commas without need.
func commas(cells []string, separators bool) byte {
	told := byte(decimalComma)
	if separators {
		told = decimalPoint
	}
	for _, cell := range cells {
		at := strings.LastIndexByte(cell, ',')
		if at < 0 {
			continue
		}
		point := strings.LastIndexByte(cell, '.')
		switch after := numberLength(cell[at+1:]); {
		case point > at, point < 0 && after == 3 && strings.Count(cell, ",") > 1:
			return decimalPoint // 1,234.5 or 1,234,567
		case point >= 0:
			return commaAlone // 1.234,5
		case after != 3:
			told = decimalComma // 6,25
		}
	}
	return told
}
