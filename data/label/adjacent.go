package label

import (
	"slices"
	"strings"
	"unicode"

	"pacia/internal/badinput"
	"pacia/internal/each"
)

// A role is what a column is beside that of the measurements.
type role uint8

const (
	noRole role = iota
	signRole
	unitRole
	kindRole
)

// roleWords are words of the names of such columns.
var roleWords = map[string]role{
	"relation": signRole, "relations": signRole, "qualifier": signRole, "qualifiers": signRole, "qual": signRole, "operator": signRole, "prefix": signRole, "modifier": signRole,
	"sign": signRole, "symbol": signRole, "inequality": signRole, "censor": signRole, "censored": signRole, "censoring": signRole, "comparator": signRole,
	"unit": unitRole, "units": unitRole, "uom": unitRole, "einheit": unitRole, "unité": unitRole,
	"type": kindRole, "endpoint": kindRole, "parameter": kindRole, "measure": kindRole, "measurement": kindRole, "readout": kindRole,
}

// flagOf names the flag that chooses the column of a role.
var flagOf = map[role]string{signRole: "--sign-column", unitRole: "--unit-column", kindRole: "--type-column"}

// A Header is a table whose columns may stand beside each other.
type Header struct {
	Names []string
	Cells func(column int) []string // those of a column that are not empty
	Skip  func(column int) bool     // the column holds molecules or their names

	roles []role
}

// None is what --sign-column and the like are where there is no such column.
const None = "none"

// Role reports whether a column holds signs, units or kinds of measurements.
func (h *Header) Role(column int) bool { return h.roleOf(column) != noRole }

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

// roleOf tells a column's role from its cells, for which its name counts a little.
func roleOf(name string, cells []string) role {
	said := noRole
	for _, w := range wordsOf(name) {
		if r := roleWords[w]; r != noRole {
			said = r
		}
	}
	if len(cells) == 0 {
		return noRole
	}
	share := func(is func(string) bool) float64 { // of the first cells, until it cannot be all any more
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
	isUnit := func(c string) bool { u, ok := parseUnit(strings.Trim(c, "'\"()[] ")); return ok && u.of != "" }
	long := func(c string) bool { return len(strings.TrimSpace(c)) > 1 || strings.TrimSpace(c) == "%" }
	isKind := func(c string) bool { return kindOf(c) != "" }
	switch signs := share(isSign); {
	case signs == 1, said == signRole && signs >= 0.5:
		return signRole
	case said == unitRole && share(func(c string) bool { return !IsMeasurement(c) }) >= 0.5, share(isUnit) == 1 && slices.ContainsFunc(cells, long):
		return unitRole
	case share(isKind) >= 0.5, said == kindRole && share(isKind) > 0:
		return kindRole
	}
	return noRole
}

func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// fillers are words that names of columns which belong together need not share.
var fillers = []string{"value", "values", "result", "results", "of", "mean", "avg", "average", "median", "geomean", "n"}

// stem are the words by which columns belong together: of "Standard Value" and "Standard
// Units" that is standard.
func stem(name string) []string {
	var units []string
	for _, u := range whatNameSays(name).units {
		units = append(units, wordsOf(u.name)...)
	}
	return slices.DeleteFunc(wordsOf(name), func(w string) bool {
		return roleWords[w] != noRole || slices.Contains(fillers, w) || slices.Contains(units, w)
	})
}

// alike weighs the words that two stems share against those that one of them lacks, where
// those that the second has besides count least. It is 0 or less where they do not belong
// together.
func alike(of, with []string) int {
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

// adjacent finds the column of a role that belongs to the one of measurements; −1 where there
// is none. apart are columns of the role that belong to others.
func (h *Header) adjacent(value int, r role, chosen string) (at int, apart []int, err error) {
	if chosen != "" {
		return h.chosen(value, r, chosen)
	}
	var own, unclear []int
	for i := range h.Names {
		if i == value || h.roleOf(i) != r {
			continue
		}
		switch owners := h.owners(i, value); {
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

// chosen finds the column that was named.
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

// owners are the columns of measurements to which one of signs, units or kinds may belong;
// value is one of them whatever its name is, and so is predicted for predicted_unit.
func (h *Header) owners(column, value int) []int {
	own := stem(h.Names[column])
	var values []int
	for i, name := range h.Names {
		if i == value || h.roleOf(i) == noRole && !h.Skip(i) && (MeasurementName(name) || len(own) > 0 && slices.Equal(stem(name), own)) {
			values = append(values, i)
		}
	}
	if h.roleOf(column) == kindRole && !slices.ContainsFunc(values, func(v int) bool { return v != value && alike(stem(h.Names[column]), stem(h.Names[v])) > 0 }) {
		return []int{value} // the row's
	}
	best, owners := 0, []int(nil)
	for _, v := range values {
		switch n := alike(own, stem(h.Names[v])); {
		case n > best:
			best, owners = n, []int{v}
		case n == best && n > 0:
			owners = append(owners, v)
		}
	}
	if len(owners) > 0 {
		return owners
	}
	return h.next(column, values)
}

// next are the columns of measurements that stand directly beside one, or the nearest.
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
