package ranking

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/data/rdkit"
	"pacia/internal/badinput"
)

// Wanted selects the rows of a table before scoring, and the computed columns that the selected rows get. Its tags are those
// of a request (package request).
type Wanted struct {
	rdkit.Structure `yaml:"-"`

	Where []string `yaml:"where" only:"predict next" page:"-: the table filters by conditions" doc:"only molecules that fulfil this 'CONDITION' on a column, such as \"price <= 100\", are ranked; repeated: each of them"`
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

// Check returns an error if a SMARTS pattern or a condition cannot be parsed. It removes space around patterns, and what
// sketchers write behind them, such as |c:1,3,5|.
func (w *Wanted) Check(ctx context.Context) error {
	for _, patterns := range [][]string{w.Match, w.Exclude} {
		for i, text := range patterns {
			text = strings.TrimSpace(text)
			if before, after, found := strings.Cut(text, " "); found && strings.HasPrefix(after, "|") {
				text = before
			}
			patterns[i] = text
		}
	}
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
		if _, err := label.ParseCondition(text); err != nil {
			return err
		}
	}
	return nil
}

// SkippedRows counts rows that are left out because a condition compares a cell with a number and the cell is empty, not
// such a number, or a bound that leaves the condition open.
type SkippedRows struct {
	Rows  int    `json:"rows"`  // with a cell that is not empty
	First string `json:"first"` // the first such cell
	Empty int    `json:"empty"` // rows with an empty cell
}

// Join adds the counts of later rows.
func (n *SkippedRows) Join(of SkippedRows) {
	if n.Rows == 0 {
		n.First = of.First
	}
	n.Rows += of.Rows
	n.Empty += of.Empty
}

// String formats the counts as part of a sentence, such as
// `, 6 of them as a cell is not a number, such as "5 mg"`. It is empty without rows.
func (n SkippedRows) String() string {
	text := ""
	if n.Empty > 0 {
		text = fmt.Sprintf(", %d of them as a cell is empty", n.Empty)
	}
	if n.Rows == 0 {
		return text
	}
	what := "is not a number"
	if q, is := label.QuantityOf(n.First); is {
		switch {
		case q.Sign != '=':
			what = "is a bound that leaves it open"
		case q.Unit == "":
			what = "lacks the unit"
		default:
			what = "is in another unit"
		}
	}
	return text + fmt.Sprintf(", %d of them as a cell %s, such as %s", n.Rows, what, badinput.Quote(n.First))
}

// skipped adds an excluded row to the counts if it has such a cell.
func (t *Table) skipped(fields []string, to *SkippedRows) {
	for _, c := range t.conditions {
		cell := c.Cell(fields)
		if _, sign, ok := c.Value(cell); ok && (sign == '=' || c.Holds(fields)) || c.IsText || c.Sign == "!=" {
			continue
		}
		if cell == "" {
			to.Empty++
		} else {
			to.Join(SkippedRows{Rows: 1, First: strings.Clone(cell)})
		}
		return
	}
}

// describe adds the computed columns to the table, and finds the columns of the conditions.
func (t *Table) describe() error {
	t.described = len(t.Header)
	for _, name := range t.options.Wanted.Columns() {
		t.add(name)
		t.computed++
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
	conditions []label.Condition
	decimals   Decimals
	semicolons bool // between the cells of a file
}

// Where returns a filter for rows that fulfil all conditions.
func (t *Table) Where(conditions []string) (*Filter, error) {
	all, err := t.conditionsOf(conditions, false)
	if err != nil {
		return nil, err
	}
	semicolons := slices.ContainsFunc(t.files, func(f *tableFile) bool { return f.Separator() == label.Semicolons })
	return &Filter{all, make(Decimals, len(all)), semicolons}, nil
}

// Holds reports whether the cells of a row fulfil all conditions.
func (f *Filter) Holds(fields []string) bool {
	f.decimals.add(f.conditions, &Row{Fields: fields, semicolons: f.semicolons})
	return fulfilled(f.conditions, fields)
}

// Check returns an error if numbers of the rows that Holds has seen can be read in two ways: a point is before three
// digits (1.200), beside a decimal comma (12,50) or in a file with semicolons.
func (f *Filter) Check() error {
	return cmp.Or(f.decimals.check(f.conditions), f.decimals.settled(f.conditions, "write the numbers of this column without thousands separators"))
}

func fulfilled(all []label.Condition, fields []string) bool {
	return !slices.ContainsFunc(all, func(c label.Condition) bool { return !c.Holds(fields) })
}

// conditionsOf parses conditions and finds their columns. begun: the header has the fields of the first records alone.
func (t *Table) conditionsOf(texts []string, begun bool) ([]label.Condition, error) {
	all := make([]label.Condition, len(texts))
	for i, text := range texts {
		var err error
		if all[i], err = label.ParseCondition(text); err != nil {
			return nil, err
		}
		var found bool
		if all[i], found = all[i].In(t.columnOf); !found {
			lack := &badinput.Error{What: fmt.Sprintf("the condition %q is about a column that the candidates lack", text),
				Fix: badinput.Suggest(all[i].Column, t.Header, "write one of "+strings.Join(t.Header, ", "))}
			for _, group := range Described {
				if computed := (&Wanted{}); computed.Describe(group) == nil && slices.Contains(computed.Columns(), all[i].Column) {
					lack.Fix = "add --columns " + group
				}
			}
			if begun {
				lack.What = fmt.Sprintf("the condition %q is about a field that the first records of the candidates lack", text)
				lack.Fix += "; or, for a field of later records, also write it, empty, in the first one"
			}
			return nil, lack
		}
		all[i].Decimal = t.options.Decimal
	}
	return all, nil
}

// extended reports whether rows have cells that their file lacks.
func (t *Table) extended() bool { return t.Several() || t.computed > 0 }

func (t *Table) given(column int) bool {
	return column == t.source || column >= t.described && column < t.described+t.computed
}
