package label

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pacia/internal/badinput"
)

// A Condition compares the cells of a column with a number, or by = and != with a text.
type Condition struct {
	Column  string
	Sign    string
	Text    string
	At      int    // index of the column in a table
	Decimal string // the sign before decimals; empty: found in each cell
	IsText  bool

	number  float64
	percent bool   // the number is a percentage, and so must be the cells
	whole   string // as it was written
}

// comparisons are the operators, in the order in which they are tried.
var comparisons = []string{"<=", ">=", "!=", "<", ">", "="}

// ParseCondition parses a condition such as "price <= 100".
func ParseCondition(text string) (Condition, error) {
	c, ok := conditionAt(text, strings.IndexAny(text, "<>!="))
	if !ok {
		return c, &badinput.Error{What: fmt.Sprintf("the condition %q cannot be read", text),
			Fix: `write a column, one of <= >= < > = != and a number, or after = and != a text, such as "price <= 100"; quotation marks enclose a text such as ">5"`}
	}
	return c, nil
}

// conditionAt parses a condition whose operator is at a position of the text.
func conditionAt(text string, at int) (c Condition, ok bool) {
	for _, sign := range comparisons {
		if at > 0 && strings.HasPrefix(text[at:], sign) {
			c = Condition{Column: strings.TrimSpace(text[:at]), Sign: sign, Text: strings.TrimSpace(text[at+len(sign):])}
			break
		}
	}
	c.whole = text
	signed := c.Text != "" && strings.ContainsRune("<>=", rune(c.Text[0])) // by ==, =< or =>
	if n := len(c.Text); n > 1 && (c.Text[0] == '"' || c.Text[0] == '\'') && c.Text[n-1] == c.Text[0] {
		c.Text = c.Text[1 : n-1]
	}
	var isNumber bool
	number, percent := strings.CutSuffix(c.Text, "%")
	c.number, isNumber = plainNumber(strings.TrimSpace(number))
	c.percent = isNumber && percent
	c.IsText = !isNumber
	return c, c.Column != "" && !signed && (!c.IsText || c.Sign == "=" || c.Sign == "!=")
}

// In returns the condition with the index of its column, for which column finds a name. The name itself may contain
// an operator, as "IC50 (n=3)" does. It returns false if there is no such column.
func (c Condition) In(column func(name string) int) (Condition, bool) {
	for at := range len(c.whole) {
		if !strings.ContainsRune("<>!=", rune(c.whole[at])) {
			continue
		}
		if other, ok := conditionAt(c.whole, at); ok {
			if other.At = column(other.Column); other.At >= 0 {
				other.Decimal = c.Decimal
				return other, true
			}
		}
	}
	c.At = -1
	return c, false
}

// String returns the condition as it was written.
func (c Condition) String() string { return c.whole }

// ConditionOn returns a condition that holds for the cells of a column that have a value, as text.
func ConditionOn(column, value string) string {
	if value == "" || strings.ContainsRune("<>=\"'", rune(value[0])) || strings.TrimSpace(value) != value {
		quote := `"`
		if strings.Contains(value, quote) {
			quote = "'"
		}
		value = quote + value + quote
	}
	return column + " = " + value
}

// plainNumber parses a number with a decimal point. NaN and Inf are texts: no condition on a number holds for NaN,
// and they stand for a missing value.
func plainNumber(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// NumberOf parses a number such as 99.5. A decimal comma is accepted if it is unambiguous.
func NumberOf(cell string) (float64, bool) {
	if v, ok := plainNumber(cell); ok {
		return v, true
	}
	return Number(cell)
}

// Value returns the number of a cell.
func (c Condition) Value(cell string) (float64, bool) {
	cell, percent := strings.CutSuffix(cell, "%")
	switch {
	case percent != c.percent:
		return 0, false
	case c.Decimal != "":
		return Decimal(cell, c.Decimal == ",")
	}
	return NumberOf(strings.TrimSpace(cell))
}

// Cell returns the cell of a row to which the condition applies.
func (c Condition) Cell(fields []string) string {
	if c.At >= len(fields) {
		return ""
	}
	return strings.TrimSpace(fields[c.At])
}

// Holds reports whether a row fulfils the condition. If the condition compares numbers, a cell that is not a
// number fulfils only !=.
func (c Condition) Holds(fields []string) bool {
	cell := c.Cell(fields)
	if c.IsText {
		return (cell == c.Text) == (c.Sign == "=")
	}
	v, ok := c.Value(cell)
	if !ok {
		return c.Sign == "!="
	}
	switch c.Sign {
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
