package label

import (
	"fmt"
	"slices"
	"strings"

	"pacia/internal/badinput"
)

// Settings define which columns of a table are tasks, and what is active in each, as text from the
// user. Several columns, several values for them, and several words are separated by semicolons. Without One, Columns, Below
// and Above are those of all tasks: no name means all columns that hold labels or measurements. "none" stands for no column.
type Settings struct {
	Columns    string `yaml:"label" doc:"'NAME' of the column with the labels or measurements (default: found by the header)"`
	Below      string `yaml:"active_below" doc:"labels are measurements, active is what is below this 'VALUE', the threshold"`
	Above      string `yaml:"active_above" doc:"labels are measurements, active is what is above this 'VALUE', the threshold"`
	Units      string `yaml:"unit" needs:"active_below active_above potency" choices:"M mM uM nM pM % mg/l ug/ml" doc:"the 'UNIT' of the threshold, such as uM, and of measurements without one"`
	ValueUnit  string `yaml:"value_unit" title:"Unit of the values" empty:"as the column shows" needs:"active_below active_above potency" choices:"M mM uM nM pM % mg/l ug/ml" doc:"the 'UNIT' of measurements, where it is not that of the column's name or of the threshold"`
	Decimal    string `yaml:"decimal" title:"Decimal sign" empty:"as the column shows" needs:"active_below active_above potency where" choices:". ," doc:"the sign before decimals in measurements: . or , (default: found in the column)"`
	Signs      string `yaml:"sign_column" title:"Column of signs" empty:"found by the header" needs:"active_below active_above potency" doc:"'NAME' of the column with signs such as > beside the measurements, or none (default: found by the header)"`
	UnitColumn string `yaml:"unit_column" title:"Column of units" empty:"found by the header" needs:"active_below active_above potency" doc:"'NAME' of the column with the units of the measurements, or none (default: found by the header)"`
	Types      string `yaml:"type_column" title:"Column of types" empty:"found by the header" needs:"active_below active_above potency" doc:"'NAME' of the column with the types of the measurements, such as IC50, or none (default: found by the header)"`
	Type       string `yaml:"type" title:"Type that counts" empty:"that of most" needs:"active_below active_above potency" doc:"the 'TYPE' of measurements that count, such as IC50 (default that of most)"`
	Active     string `yaml:"active_words" title:"Words for active" empty:"as usual" doc:"'WORDS' that mean active, with ; between them"`
	Inactive   string `yaml:"inactive_words" title:"Words for inactive" empty:"as usual" doc:"'WORDS' that mean inactive, with ; between them"`

	Ignore       string `yaml:"-"` // names of columns that are not tasks
	Rows         string `yaml:"-"` // conditions on the rows that count, each in a line of its own
	Numbers      bool   `yaml:"-"` // measurements are required; the default threshold is their median
	SingleColumn bool   `yaml:"-"` // Columns names one column, whose name may contain semicolons
}

// list splits a text at semicolons, unless s.One is set. It returns nil for an empty text.
func (s Settings) list(text string) []string {
	if s.SingleColumn && strings.TrimSpace(text) != "" {
		return []string{strings.TrimSpace(text)}
	}
	return list(text)
}

// Tasks are parsed Settings.
type Tasks struct {
	Columns []string
	Ignore  []string    // columns that are not tasks
	Rows    []Condition // all must hold for a row to count
	Numbers bool
	Choices
	signs, units, types string  // columns
	rules               []*Rule // one for all, or one for each of Columns; nil: words

	Lent bool // the rule is that of another table, by With
}

// Measured reports whether measurements are read, and not only words.
func (t Tasks) Measured() bool { return len(t.rules) > 0 || t.Numbers }

// Fits reports whether the first threshold can apply to the column with this name: logarithms have no unit, and
// concentrations are above 0. Units have to be comparable.
func (t Tasks) Fits(name string) bool {
	if len(t.rules) == 0 || t.rules[0] == nil {
		return true
	}
	rule, info := t.rules[0], parseName(name)
	if rule.unit.dimension != "" && len(info.units)+len(info.foreign) > 0 && !slices.ContainsFunc(info.units,
		func(u unit) bool { return u.dimension == rule.unit.dimension }) {
		return false // nM and per cent
	}
	return !info.log && rule.threshold > 0 || rule.unit.dimension == "" && (info.log || info.usual == either)
}

// Rule returns the rule of t.Columns[i]; nil: it holds words.
func (t Tasks) Rule(i int) *Rule {
	switch len(t.rules) {
	case 0:
		return nil
	case 1:
		return t.rules[0]
	}
	return t.rules[i]
}

// With returns t with a rule for all columns, unless t has rules or the rule is nil. Results are read with the rule
// of the support set, and not with one that their own median defines.
func (t Tasks) With(rule *Rule) Tasks {
	if len(t.rules) == 0 && rule != nil {
		t.rules, t.Lent = []*Rule{rule}, true
	}
	return t
}

// Parse parses the settings. Errors are *badinput.Error and name the flags --label, --ignore,
// --active-below, --active-above, --unit, --value-unit and --decimal.
func (s Settings) Parse() (t Tasks, err error) {
	if t.Columns = s.list(s.Columns); len(t.Columns) > 0 {
		seen := map[string]bool{}
		for _, name := range t.Columns {
			if name == "" || seen[name] {
				return t, &badinput.Error{What: "--label " + badinput.Quote(s.Columns) + " has a column without a name, or one twice", Fix: "write names with ; between them"}
			}
			seen[name] = true
		}
	}
	t.Ignore = list(s.Ignore)
	for _, name := range t.Ignore {
		if name == "" || slices.Contains(t.Columns, name) {
			return t, &badinput.Error{What: "--ignore " + badinput.Quote(s.Ignore) + " has a column without a name, or one of --label",
				Fix: "write names with ; between them"}
		}
	}
	if t.Decimal, err = parseDecimal(s.Decimal); err != nil {
		return t, err
	}
	if _, ok := parseUnit(s.ValueUnit); !ok && !LogUnit(s.ValueUnit) {
		return t, &badinput.Error{What: "--value-unit " + s.ValueUnit + " is not known", Fix: "write " + knownUnits + ", or log for logarithms"}
	}
	for text := range strings.SplitSeq(s.Rows, "\n") {
		if strings.TrimSpace(text) == "" {
			continue
		}
		c, err := ParseCondition(text)
		if err != nil {
			return t, err
		}
		c.Decimal = s.Decimal
		t.Rows = append(t.Rows, c)
	}
	t.Numbers = s.Numbers
	t.signs, t.units, t.types = strings.TrimSpace(s.Signs), strings.TrimSpace(s.UnitColumn), strings.TrimSpace(s.Types)
	t.ValueUnit, t.Type = strings.TrimSpace(s.ValueUnit), strings.TrimSpace(s.Type)
	t.Active, t.Inactive = list(s.Active), list(s.Inactive)
	return t, t.parseRules(s)
}

func (t *Tasks) parseRules(s Settings) error {
	n := 1
	lists := [][]string{s.list(s.Below), s.list(s.Above), s.list(s.Units)}
	for i, l := range lists {
		if len(l) > 1 && len(l) != len(t.Columns) {
			return &badinput.Error{What: fmt.Sprintf("%s has %d values for %d columns of --label", []string{"--active-below", "--active-above", "--unit"}[i], len(l), len(t.Columns)),
				Fix: "write one for all, or one for each with ; between them, empty for a column that has none"}
		}
		n = max(n, len(l))
	}
	given := func(value string) bool { return value != "" }
	// One unit is that of the columns that have a threshold.
	shared := len(lists[2]) == 1 && (slices.ContainsFunc(lists[0], given) || slices.ContainsFunc(lists[1], given))
	for i := range n {
		at := func(l []string) string {
			switch len(l) {
			case 0:
				return ""
			case 1:
				return l[0]
			}
			return l[i]
		}
		below, above, unitName := at(lists[0]), at(lists[1]), at(lists[2])
		if below == "" && above == "" && shared {
			unitName = ""
		}
		rule, err := NewRule(below, above, unitName, t.Decimal)
		if err != nil {
			return err
		}
		if rule != nil || n > 1 {
			t.rules = append(t.rules, rule)
		}
	}
	return nil
}

// parseDecimal reads --decimal; 0 if it is empty, to be inferred from the cells.
func parseDecimal(text string) (byte, error) {
	switch text {
	case "":
		return 0, nil
	case ".", ",":
		return text[0], nil
	}
	return 0, &badinput.Error{What: "--decimal " + badinput.Quote(text) + " is not known", Fix: "write . or ,"}
}

// list splits a text at semicolons, and trims the parts. It returns nil for an empty text.
func list(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	parts := strings.Split(text, ";")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// Words returns t without rules, for a column of words.
func (t Tasks) Words() Tasks {
	t.rules = nil
	return t
}
