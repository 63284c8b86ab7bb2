package ranking

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pacia/data/label"
	"pacia/data/rdkit"
	"pacia/data/table"
	"pacia/internal/badinput"
)

// Wanted selects the rows of a table before scoring, and the computed columns that the selected rows get.
type Wanted struct {
	rdkit.Structure

	Where []string // conditions such as "price <= 100"; all must hold
}

// maxConditions is the maximum number of conditions.
const maxConditions = 32

// Described are the values of --columns and of the field columns of the HTTP interface.
var Described = []string{"properties", "alerts", "scaffold"}

// Describe selects the groups of columns in a comma-separated list.
func (w *Wanted) Describe(list string) error {
	groups := []*bool{&w.Properties, &w.Alerts, &w.Scaffold}
	for word := range strings.SplitSeq(list, ",") {
		known := false
		for i, group := range Described {
			if strings.TrimSpace(word) == group {
				*groups[i], known = true, true
			}
		}
		if !known {
			return &badinput.Error{What: fmt.Sprintf("the columns %q are not known", word), Fix: "write some of " + strings.Join(Described, ",")}
		}
	}
	return nil
}

// Check returns an error if a SMARTS pattern or a condition cannot be parsed.
func (w *Wanted) Check(ctx context.Context) error {
	if w.Empty() && len(w.Where) == 0 {
		return nil
	}
	if err := w.Structure.Check(ctx); err != nil {
		return &badinput.Error{What: "a pattern cannot be read", Err: err, Fix: "write SMARTS such as [NX3;H2]"}
	}
	if len(w.Where) > maxConditions {
		return &badinput.Error{What: fmt.Sprintf("%d conditions, more than %d", len(w.Where), maxConditions), Fix: "leave some out"}
	}
	for _, text := range w.Where {
		if _, err := conditionOf(text); err != nil {
			return err
		}
	}
	return nil
}

// A condition compares the cells of a column with a number, or by = and != with a text.
type condition struct {
	column string
	sign   string
	text   string
	number float64
	isText bool
	at     int // index of the column in the table
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
	c.number, isNumber = plainNumber(c.text)
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

// NotNumbers counts rows that are left out because a condition compares a cell with a number and the cell is
// neither empty nor a number.
type NotNumbers struct {
	Rows  int    `json:"rows"`
	First string `json:"first"` // the first such cell
}

// Join adds the counts of later rows.
func (n *NotNumbers) Join(of NotNumbers) {
	if n.Rows == 0 {
		n.First = of.First
	}
	n.Rows += of.Rows
}

// String formats the counts as part of a sentence, such as
// `, 6 of them as a cell is not a number, such as "5 mg"`. It is empty without rows.
func (n NotNumbers) String() string {
	if n.Rows == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them as a cell is not a number, such as %s", n.Rows, badinput.Quote(n.First))
}

// notNumber adds an excluded row to the counts if it has such a cell.
func (t *Table) notNumber(fields []string, to *NotNumbers) {
	for _, c := range t.conditions {
		cell := c.cell(fields)
		if _, ok := Number(cell); !ok && cell != "" && !c.isText && c.sign != "!=" {
			to.Join(NotNumbers{Rows: 1, First: strings.Clone(cell)})
			return
		}
	}
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
	v, ok := Number(cell)
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

// describe adds the computed columns to the table, and finds the columns of the conditions.
func (t *Table) describe() error {
	t.described = len(t.Header)
	for _, name := range t.options.Wanted.Columns() {
		t.add(name)
		t.made++
	}
	var err error
	t.conditions, err = t.conditionsOf(t.options.Wanted.Where, t.Grows())
	return err
}

// Computed returns the index of a computed column, or −1. Its name in the header has a number if the library has a
// column of this name.
func (t *Table) Computed(name string) int {
	if i := slices.Index(t.options.Wanted.Columns(), name); i >= 0 {
		return t.described + i
	}
	return -1
}

// A Filter selects rows by conditions on their cells. One goroutine uses it at a time.
type Filter struct {
	conditions []condition
	decimals   Decimals
}

// Where returns a filter for rows that fulfil all conditions.
func (t *Table) Where(conditions []string) (*Filter, error) {
	all, err := t.conditionsOf(conditions, false)
	if err != nil {
		return nil, err
	}
	return &Filter{all, make(Decimals, len(all))}, nil
}

// Holds reports whether the cells of a row fulfil all conditions.
func (f *Filter) Holds(fields []string) bool {
	f.decimals.add(f.conditions, &Row{Fields: fields})
	return fulfilled(f.conditions, fields)
}

// Check returns an error if numbers of the rows that Holds has seen can be read in two ways: a column has both
// a decimal comma (12,50) and a point before three digits (1.200).
func (f *Filter) Check() error { return f.decimals.check(f.conditions) }

func fulfilled(all []condition, fields []string) bool {
	return !slices.ContainsFunc(all, func(c condition) bool { return !c.holds(fields) })
}

// conditionsOf parses conditions and finds their columns. begun: the header has the fields of the first records alone.
func (t *Table) conditionsOf(texts []string, begun bool) ([]condition, error) {
	all := make([]condition, len(texts))
	for i, text := range texts {
		var err error
		if all[i], err = conditionOf(text); err != nil {
			return nil, err
		}
		if all[i].at = table.Column(t.Header, all[i].column); all[i].at < 0 {
			lack := &badinput.Error{What: fmt.Sprintf("the condition %q is about a column that the candidates lack", text),
				Fix: "write one of " + strings.Join(t.Header, ", ")}
			if begun {
				lack.What = fmt.Sprintf("the condition %q is about a field that the first records of the candidates lack", text)
				lack.Fix += "; or, for a field of later records, also write it, empty, in the first one"
			}
			return nil, lack
		}
	}
	return all, nil
}

// extended reports whether rows have cells that their file lacks.
func (t *Table) extended() bool { return t.Several() || t.made > 0 }

func (t *Table) given(column int) bool {
	return column == t.source || column >= t.described && column < t.described+t.made
}

// keep reports whether a prepared row is wanted, and fills in its computed cells. A row that
// RDKit cannot describe is kept, so that it is listed with the reason.
func (t *Table) keep(ctx context.Context, r *Row) bool {
	if r.Reason == nil && !t.options.Wanted.Empty() {
		cells, wanted, err := t.options.Wanted.Of(ctx, r.SMILES)
		if err != nil {
			r.SMILES, r.Reason = "", err
			return true
		}
		if !wanted {
			return false
		}
		copy(r.Fields[min(t.described, len(r.Fields)):], cells)
	}
	return r.Reason != nil || fulfilled(t.conditions, r.Fields)
}
