package ranking

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pacia/data/label"
	"pacia/internal/badinput"
)

// A condition compares the cells of a column with a number, or by = and != with a text.
type condition struct {
	column string
	sign   string
	text   string
	number float64
	isText bool
	at     int // index of the column in the table

	percent bool   // the number is a percentage, and so must be the cells
	decimal string // the sign before decimals; empty: found in each cell
}

// signs are the operators, in the order in which they are tried.
var signs = []string{"<=", ">=", "!=", "<", ">", "="}

func conditionOf(text string) (c condition, err error) {
	at := strings.IndexAny(text, "<>!=")
	for _, sign := range signs {
		if at > 0 && strings.HasPrefix(text[at:], sign) {
			c = condition{column: strings.TrimSpace(text[:at]), sign: sign, text: strings.TrimSpace(text[at+len(sign):])}
			break
		}
	}
	signed := c.text != "" && strings.ContainsRune("<>=", rune(c.text[0])) // by ==, =< or =>
	if n := len(c.text); n > 1 && (c.text[0] == '"' || c.text[0] == '\'') && c.text[n-1] == c.text[0] {
		c.text = c.text[1 : n-1]
	}
	var isNumber bool
	number, percent := strings.CutSuffix(c.text, "%")
	c.number, isNumber = plainNumber(strings.TrimSpace(number))
	c.percent = isNumber && percent
	c.isText = !isNumber
	if c.column == "" || signed || c.isText && c.sign != "=" && c.sign != "!=" {
		return c, &badinput.Error{What: fmt.Sprintf("the condition %q cannot be read", text),
			Fix: `write a column, one of <= >= < > = != and a number, or after = and != a text, such as "price <= 100"; quotation marks enclose a text such as ">5"`}
	}
	return c, nil
}

// plainNumber parses a number with a decimal point. NaN and Inf are texts: no condition on a number holds for NaN,
// and they stand for a missing value.
func plainNumber(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// Number parses a number such as 99.5. A decimal comma is accepted if it is unambiguous.
func Number(cell string) (float64, bool) {
	if v, ok := plainNumber(cell); ok {
		return v, true
	}
	return label.Number(cell)
}

// value returns the number of a cell.
func (c condition) value(cell string) (float64, bool) {
	cell, percent := strings.CutSuffix(cell, "%")
	switch {
	case percent != c.percent:
		return 0, false
	case c.decimal != "":
		return label.Decimal(cell, c.decimal == ",")
	}
	return Number(strings.TrimSpace(cell))
}

// cell returns the cell of a row to which the condition applies.
func (c condition) cell(fields []string) string {
	if c.at >= len(fields) {
		return ""
	}
	return strings.TrimSpace(fields[c.at])
}

// holds reports whether a row fulfils the condition. If the condition compares numbers, a cell that is not a
// number fulfils only !=.
func (c condition) holds(fields []string) bool {
	cell := c.cell(fields)
	if c.isText {
		return (cell == c.text) == (c.sign == "=")
	}
	v, ok := c.value(cell)
	if !ok {
		return c.sign == "!="
	}
	switch c.sign {
	case "<=":
		return v <= c.number
	case ">=":
		return v >= c.number
	case "<":
		return v < c.number
	case ">":
		return v > c.number
	case "=":
		return v == c.number
	}
	return v != c.number
}
