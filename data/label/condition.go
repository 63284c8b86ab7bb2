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

	number float64
	unit   Quantity // of the number; without a unit, cells of any unit are compared
	whole  string   // as it was written
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
	c.IsText = !c.compares()
	return c, c.Column != "" && !signed && (!c.IsText || c.Sign == "=" || c.Sign == "!=")
}

// compares reports whether the text of a condition is a number, which it keeps with its unit. After = and !=, a number
// with a unit other than % may be a name, such as 3M.
func (c *Condition) compares() bool {
	q, ok := QuantityOf(c.Text)
	if !ok || q.Sign != '=' || (c.Sign == "=" || c.Sign == "!=") && q.Unit != "" && q.Unit != "%" {
		return false
	}
	c.number, ok = plainNumber(q.Number)
	c.unit = q
	return ok
}

// HasUnit reports whether the number of a condition has a unit.
func (c Condition) HasUnit() bool { return c.unit.Unit != "" }

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

// NumberOf parses a cell such as 99.5, 1,200 or $85. A decimal comma is accepted if it is unambiguous.
func NumberOf(cell string) (float64, bool) {
	v, _, ok := (Condition{}).Value(cell)
	return v, ok
}

// Value returns the number of a cell in the unit of the condition, and its sign: '=', or '<' or '>' for a bound.
func (c Condition) Value(cell string) (v float64, sign byte, ok bool) {
	if v, ok = plainNumber(cell); ok && c.unit.Unit == "" && c.Decimal == "" {
		return v, '=', true
	}
	q, ok := QuantityOf(cell)
	factor := 1.
	if ok && c.unit.Unit != "" {
		factor, ok = q.In(c.unit)
	}
	if !ok {
		return 0, 0, false
	}
	v, ok = c.parse(q.Number)
	return v * factor, q.Sign, ok
}

// parse parses a number. If nothing else is known, three digits after a comma are thousands, and three after a point are
// decimals; a caller finds cells that contradict this with Decimals.
func (c Condition) parse(number string) (float64, bool) {
	if c.Decimal != "" {
		return Decimal(number, c.Decimal == ",")
	}
	if v, ok := plainNumber(number); ok {
		return v, true
	}
	if v, ok := Number(number); ok {
		return v, true
	}
	return Decimal(number, false)
}

// Cell returns the cell of a row to which the condition applies.
func (c Condition) Cell(fields []string) string {
	if c.At >= len(fields) {
		return ""
	}
	return strings.TrimSpace(fields[c.At])
}

// Holds reports whether a row fulfils the condition. If the condition compares numbers, a cell that is not a number
// fulfils only !=, and a bound such as >95 fulfils what all its numbers do. Texts are compared in any case.
func (c Condition) Holds(fields []string) bool {
	cell := c.Cell(fields)
	if c.IsText {
		return strings.EqualFold(cell, c.Text) == (c.Sign == "=")
	}
	v, sign, ok := c.Value(cell)
	if !ok {
		return c.Sign == "!="
	}
	switch c.Sign {
	case "<=":
		return sign != '>' && v <= c.number
	case ">=":
		return sign != '<' && v >= c.number
	case "<":
		return sign == '=' && v < c.number || sign == '<' && v <= c.number
	case ">":
		return sign == '=' && v > c.number || sign == '>' && v >= c.number
	case "=":
		return sign == '=' && v == c.number
	}
	return sign != '=' || v != c.number
}
