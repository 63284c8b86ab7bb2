package label

import (
	"slices"
	"strings"
	"unicode"

	"pacia/internal/badinput"
	"pacia/internal/each"
)

// A role is the purpose of a column that complements one of measurements.
type role uint8

const (
	noRole role = iota
	signRole
	unitRole
	typeRole
	flagRole // by its name signs, but its cells are other marks of bounds, such as 1 or G
)

// roleWords are words in the names of such columns.
var roleWords = map[string]role{
	"relation": signRole, "relations": signRole, "qualifier": signRole, "qualifiers": signRole, "qual": signRole, "operator": signRole, "prefix": signRole, "modifier": signRole,
	"sign": signRole, "symbol": signRole, "inequality": signRole, "censor": signRole, "censored": signRole, "censoring": signRole, "comparator": signRole,
	"unit": unitRole, "units": unitRole, "uom": unitRole, "einheit": unitRole, "unité": unitRole,
	"type": typeRole, "endpoint": typeRole, "parameter": typeRole, "measure": typeRole, "measurement": typeRole, "readout": typeRole,
}

// flagOf names the flag that chooses the column of a role.
var flagOf = map[role]string{signRole: "--sign-column", flagRole: "--sign-column", unitRole: "--unit-column", typeRole: "--type-column"}

// A Header gives access to the columns of a table, to find those that belong together.
type Header struct {
	Names []string
	Cells func(column int) []string // the cells of a column that are not empty
	Skip  func(column int) bool     // the column holds molecules or their names

	roles  []role
	commas []bool // of each column: its numbers have decimal commas
}

// None is the value of --sign-column, --unit-column and --type-column for no such column.
const None = "none"

// Role reports whether a column holds signs, units or types of measurements.
func (h *Header) Role(column int) bool {
	r := h.roleOf(column)
	return r != noRole && r != flagRole
}

func (h *Header) roleOf(column int) role {
	if h.roles == nil {
		h.roles = make([]role, len(h.Names))
		for i := range h.Names {
			if !h.Skip(i) {
				h.roles[i] = roleOf(h.Names[i], h.Cells(i))
			}
		}
	}
	return h.roles[column]
}

// commasBeside reports whether another column than the given one has decimal commas.
func (h *Header) commasBeside(column int) bool {
	if h.commas == nil {
		h.commas = make([]bool, len(h.Names))
		for i := range h.Names {
			h.commas[i] = !h.Skip(i) && haveCommas(h.Cells(i))
		}
	}
	for i, has := range h.commas {
		if has && i != column {
			return true
		}
	}
	return false
}

// roleOf infers a column's role from its cells. A matching name lowers the share of cells that is required.
func roleOf(name string, cells []string) role {
	byName := noRole
	for _, w := range wordsOf(name) {
		if r := roleWords[w]; r != noRole {
			byName = r
		}
	}
	if len(cells) == 0 {
		return noRole
	}
	share := func(is func(string) bool) float64 { // of the cells; 0 if none of the first 22 matches
		n := 0
		for i, c := range cells {
			if is(c) {
				n++
			} else if i > 20 && n == 0 {
				return 0
			}
		}
		return float64(n) / float64(len(cells))
	}
	isSign := func(c string) bool { _, _, ok := parseSign(c); return ok && strings.TrimSpace(c) != "" }
	isUnit := func(c string) bool { u, ok := parseUnit(strings.Trim(c, "'\"()[] ")); return ok && u.dimension != "" }
	long := func(c string) bool { return len(strings.TrimSpace(c)) > 1 || strings.TrimSpace(c) == "%" }
	isType := func(c string) bool { return typeIn(c) != "" }
	switch signs := share(isSign); {
	case signs == 1, byName == signRole && signs >= 0.5:
		return signRole
	case byName == unitRole && share(func(c string) bool { return !IsMeasurement(c) }) >= 0.5, share(isUnit) == 1 && slices.ContainsFunc(cells, long):
		return unitRole
	case share(isType) >= 0.5, byName == typeRole && share(isType) > 0:
		return typeRole
	case byName == signRole && share(func(c string) bool { return isSign(c) || isMark(name, c) }) == 1 && !untested(cells):
		return flagRole
	}
	return noRole
}

// marks are words and letters for bounds, other than signs.
var marks = []string{
	"g", "l", "e", "u", "greater", "less", "larger", "smaller", "more", "higher", "lower", "left", "right", "interval",
	"censored", "uncensored", "not censored",
}

// certain are words in names that cannot mean anything but signs. An operator may also be a person, and a symbol that
// of a gene.
var certain = []string{"relation", "relations", "qualifier", "qualifiers", "inequality", "censor", "censored", "censoring", "comparator"}

func certainName(name string) bool {
	return slices.ContainsFunc(wordsOf(name), func(w string) bool { return slices.Contains(certain, w) })
}

// untested reports whether all cells are words such as n/a.
func untested(cells []string) bool {
	return !slices.ContainsFunc(cells, func(c string) bool { v, ok := Word(c); return !ok || v != Missing })
}

// isMark reports whether a cell may state that a value is a bound, in a column with the name of one of signs.
func isMark(name, cell string) bool {
	if slices.Contains(marks, strings.ToLower(strings.TrimSpace(cell))) {
		return true
	}
	v, ok := Word(cell)
	return ok && v <= Missing && certainName(name)
}

func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// fillers are words that the names of columns that belong together need not share.
var fillers = []string{"value", "values", "result", "results", "of", "mean", "avg", "average", "median", "geomean", "n"}

// stem returns the words of a name by which columns are matched: standard for "Standard Value"
// and for "Standard Units".
func stem(name string) []string {
	var units []string
	for _, u := range parseName(name).units {
		units = append(units, wordsOf(u.name)...)
	}
	return slices.DeleteFunc(wordsOf(name), func(w string) bool {
		return roleWords[w] != noRole || slices.Contains(fillers, w) || slices.Contains(units, w)
	})
}

// stemScore scores how well two stems match: 20 for each shared word, −10 for each word that only
// the first has, and −1 for each word of the second. The score of stems that do not belong together is 0 or less.
func stemScore(of, with []string) int {
	n := -len(with)
	for _, w := range of {
		if slices.Contains(with, w) {
			n += 20
		} else {
			n -= 10
		}
	}
	return n
}

// adjacent returns the column of role r that belongs to the measurements in column value, or −1.
// apart are the columns of this role that belong to other measurements.
func (h *Header) adjacent(value int, r role, chosen string) (at int, apart []int, err error) {
	if chosen != "" {
		return h.chosen(value, r, chosen)
	}
	var own, unclear []int
	for i := range h.Names {
		if i == value || h.roleOf(i) != r {
			continue
		}
		switch owners, _ := h.owners(i, value); {
		case !slices.Contains(owners, value):
			apart = append(apart, i)
		case len(owners) > 1:
			unclear = append(unclear, i)
		default:
			own = append(own, i)
		}
	}
	if len(own) == 0 && len(unclear) > 0 || len(own) > 1 {
		names := each.At(h.Names, append(own, unclear...))
		return -1, nil, &badinput.Error{Column: h.Names[value], What: "which column belongs to it is not clear: " + badinput.List(names), Fix: "write " + flagOf[r] + " with its name, or with none"}
	}
	if len(own) == 0 {
		return -1, apart, nil
	}
	return own[0], apart, nil
}

// chosen returns the column with the name that the user gave; −1 for None.
func (h *Header) chosen(value int, r role, name string) (at int, apart []int, err error) {
	if strings.EqualFold(name, None) {
		return -1, nil, nil
	}
	for i, n := range h.Names {
		if strings.EqualFold(strings.TrimSpace(n), strings.TrimSpace(name)) && i != value {
			return i, nil, nil
		}
	}
	return -1, nil, &badinput.Error{What: flagOf[r] + ": no column " + badinput.Quote(name) + " among " + badinput.List(h.Names), Fix: "write one of them, or none"}
}

// errorWords are words in the names of columns that have the error or the number of other values. Signs and units
// beside them belong to these other values.
var errorWords = []string{
	"sd", "sem", "se", "stdev", "stddev", "stderr", "err", "error", "errors", "dev", "deviation", "variance", "cv",
	"n", "count", "ci", "ci95", "95ci", "lcl", "ucl", "lower", "upper", "r2", "hill",
}

// ofErrors reports whether a column has the error or the number of other values, by its name.
func ofErrors(name string) bool {
	words := wordsOf(name)
	if last := len(words) - 1; last > 0 && words[last] == "std" { // but not Std Value
		return true
	}
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(errorWords, w) })
}

// owners returns the columns of measurements to which a column of signs, units or types may belong, and whether
// their names indicate it. Candidates are column value, columns whose names are those of measurements, and columns
// with the same stem, as predicted has for predicted_unit.
func (h *Header) owners(column, value int) (owners []int, named bool) {
	own := stem(h.Names[column])
	var values []int
	measured := func(name string) bool {
		return !ofErrors(name) && (MeasurementName(name) || len(own) > 0 && slices.Equal(stem(name), own))
	}
	for i, name := range h.Names {
		if i == value || h.roleOf(i) == noRole && !h.Skip(i) && measured(name) {
			values = append(values, i)
		}
	}
	if h.roleOf(column) == typeRole && !slices.ContainsFunc(values, func(v int) bool { return v != value && stemScore(stem(h.Names[column]), stem(h.Names[v])) > 0 }) {
		return []int{value}, false // one type for the whole row
	}
	best := 0
	for _, v := range values {
		switch n := stemScore(own, stem(h.Names[v])); {
		case n > best:
			best, owners = n, []int{v}
		case n == best && n > 0:
			owners = append(owners, v)
		}
	}
	if len(owners) > 0 {
		return owners, true
	}
	return h.next(column, values), false
}

// next returns the columns of measurements that are nearest to a column. If there are as many
// columns of its role as of measurements, they are matched in order.
func (h *Header) next(column int, values []int) []int {
	var generic []int
	for i := range h.Names {
		if h.roleOf(i) == h.roleOf(column) {
			generic = append(generic, i)
		}
	}
	if len(generic) == len(values) { // in the same order
		return []int{values[slices.Index(generic, column)]}
	}
	distance := func(v int) int { return max(v-column, column-v) }
	var nearest []int
	for _, v := range values {
		switch {
		case len(nearest) == 0 || distance(v) < distance(nearest[0]):
			nearest = []int{v}
		case distance(v) == distance(nearest[0]):
			nearest = append(nearest, v)
		}
	}
	return nearest
}
