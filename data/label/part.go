package label

import (
	"math"
	"slices"
	"strings"
)

// A Part is the cells of a column that are one assay: measurements of one type in units that can be compared, or labels.
// Only the order of its measurements counts, so that a bound stands for its value, and no threshold is needed.
type Part struct {
	Column
	At   []int  // [n] positions of its cells in the whole column, in ascending order
	Type string // of the measurements; empty: the column has no column of types
	base unit   // of measurements without a unit
}

// Whole returns column at of a table with the units and types beside its cells, and the rows of these. unit comes from a
// row below the header, or is empty. Errors are *badinput.Error.
func (t Tasks) Whole(h *Header, at int, cells func(int) []Cell, separator Separator, unit string) (*Column, []int32, error) {
	of := cells(at)
	c, rows := &Column{Name: h.Names[at], Separator: separator, Unit: unit, Choices: t.Choices}, make([]int32, len(of))
	c.CommasBeside = func() bool { return h.commasBeside(at) }
	for k, cell := range of {
		rows[k] = cell.Row
		c.Cells = append(c.Cells, cell.Text)
	}
	for _, b := range []struct {
		role   role
		chosen string
		to     *[]string
	}{{unitRole, t.units, &c.Units}, {typeRole, t.types, &c.Types}} {
		found, err := h.beside(at, b.role, b.chosen)
		if err != nil {
			return nil, nil, err
		}
		if found >= 0 {
			*b.to = aligned(rows, cells(found))
		}
	}
	return c, rows, nil
}

// beside returns the column of a role that belongs to column at, or −1. Where it may belong to several columns of
// measurements and is the only one of its role, it belongs to all of these.
func (h *Header) beside(at int, r role, chosen string) (int, error) {
	found, _, err := h.adjacent(at, r, chosen)
	if err == nil || chosen != "" {
		return found, err
	}
	only := -1
	for i := range h.Names {
		switch {
		case h.roleOf(i) != r:
		case only >= 0:
			return -1, err
		default:
			only = i
		}
	}
	return only, nil
}

// Beside reports whether a column of types, and one of units or signs, belong to column at.
func (h *Header) Beside(at int) (types, others bool) {
	has := func(r role) bool {
		found, err := h.beside(at, r, "")
		return err == nil && found >= 0
	}
	return has(typeRole), has(unitRole) || has(signRole)
}

// Decide finds out the decimal sign and the unit of the whole column, which are those of its parts. The error is as for Read.
func (c *Column) Decide() error {
	whole := *c
	whole.Types = nil
	commas, err := whole.commas(new(Reading))
	c.usual = c.ownUnit(c.info())
	if c.Decimal = '.'; commas {
		c.Decimal = ','
	}
	return err
}

// Parts divides the cells at some positions of a column, nil for all. Decide must have been called for measurements.
func (c *Column) Parts(at []int) (parts []*Part) {
	if at == nil {
		at = make([]int, len(c.Cells))
		for i := range at {
			at[i] = i
		}
	}
	base := c.usual
	type key struct{ kind, dimension string }
	of := map[key]*Part{}
	var words []int
	for _, i := range at {
		k, u := key{}, base
		if c.Types != nil {
			if k.kind = strings.ToLower(c.Types[i]); c.Type != "" && !strings.EqualFold(c.Type, c.Types[i]) {
				continue
			}
		}
		m, ok := parseMeasurement(strings.TrimSpace(c.Cells[i]), c.Decimal == ',')
		switch {
		case !ok:
			words = append(words, i)
			continue
		case m.unit.dimension != "":
			u = m.unit
		case c.Units != nil && c.Units[i] != "":
			u = unitOf(c.Units[i])
		case c.Units != nil && c.ValueUnit == "":
			u = unit{}
		}
		k.dimension = u.dimension
		p := of[k]
		if p == nil {
			p = c.part(u)
			if c.Types != nil {
				p.Type = c.Types[i]
			}
			of[k], parts = p, append(parts, p)
		}
		p.At = append(p.At, i)
	}
	parts = c.shareWords(parts, words)
	for _, p := range parts {
		p.fill(c)
	}
	return parts
}

func (c *Column) part(base unit) *Part {
	p := &Part{Column: *c, base: base}
	p.Cells, p.Types, p.Units, p.Signs = nil, nil, nil, nil
	return p
}

// shareWords adds cells that are not measurements to the largest part of their type.
func (c *Column) shareWords(parts []*Part, words []int) []*Part {
	largest := map[string]*Part{}
	for _, p := range parts {
		if kind := strings.ToLower(p.Type); largest[kind] == nil || len(p.At) > len(largest[kind].At) {
			largest[kind] = p
		}
	}
	for _, i := range words {
		kind := ""
		if c.Types != nil {
			kind = c.Types[i]
		}
		p := largest[strings.ToLower(kind)]
		if p == nil {
			p = c.part(unit{})
			p.Type = kind
			parts, largest[strings.ToLower(kind)] = append(parts, p), p
		}
		p.At = append(p.At, i)
	}
	return parts
}

func (p *Part) fill(c *Column) {
	slices.Sort(p.At)
	p.Cells = make([]string, 0, len(p.At))
	for _, i := range p.At {
		p.Cells = append(p.Cells, c.Cells[i])
	}
	if c.Units != nil && p.base.dimension != "" {
		for _, i := range p.At {
			p.Units = append(p.Units, c.Units[i])
		}
	}
}

// UnitName returns the unit of the measurements, or "no unit".
func (p *Part) UnitName() string {
	if p.base.name == "" {
		return "no unit"
	}
	return p.base.name
}

// Ordered reads the cells as measurements. assay is the name of the assay, if it is not that of the column. assumed reports
// that neither names nor units state on which side actives are.
func (p *Part) Ordered(assay string) (r *Reading, rule *Rule, assumed bool, err error) {
	r = &Reading{Verdicts: make([]Verdict, len(p.Cells)), Values: make([]float64, len(p.Cells)), Why: map[int]string{}}
	c := p.Column
	c.Type, c.Rule = "", &Rule{}
	c = *c.counted(r)
	info := c.info()
	base := p.base
	if molar := base.dimension == "molar" || base.dimension == "mass"; info.log || (molar || info.concentration()) && c.mostlyNegative() {
		info.log, base, c.Units = true, unit{}, nil
	}
	r.Sides = make([]int8, len(p.Cells))
	c.Rule = &Rule{unit: base}
	for i := range c.Cells {
		r.Values[i] = math.NaN()
		r.Verdicts[i] = c.measured(r, i, c.Decimal == ',', base)
	}
	c.Rule.above, assumed = p.rises(info, base, r.Values, assay)
	return r, c.Rule, assumed, c.readable(r)
}

// rises reports whether large values are active. It is assumed where no name and no unit states it: values that look like
// concentrations are then active if they are small, and all others if they are large.
func (p *Part) rises(info nameInfo, base unit, values []float64, assay string) (rises, assumed bool) {
	molar := base.dimension == "molar" || base.dimension == "mass"
	if info.log && info.usual != either {
		return info.usual == above, false
	}
	for _, text := range []string{p.Type, p.Name, assay} {
		of := parseName(text)
		switch {
		case text == "" || of.usual == either:
		case of.log || info.log || !molar:
			return of.usual == above, false
		}
	}
	if molar && !info.log {
		return false, false
	}
	return !likeConcentrations(values), true
}

// likeConcentrations reports whether values may be concentrations: they are above 0, the largest is more than a hundred times
// the smallest, and it is repeated as the highest tested one is, or above what per cent reach.
func likeConcentrations(values []float64) bool {
	low, high, n, atHigh := math.Inf(1), math.Inf(-1), 0, 0
	for _, v := range values {
		if math.IsNaN(v) {
			continue
		}
		if v > high {
			high, atHigh = v, 0
		}
		if v == high {
			atHigh++
		}
		low, n = min(low, v), n+1
	}
	return low > 0 && high > 100*low && (high > 1000 || 10*atHigh >= n)
}

// Reversed returns the rule with actives on the other side.
func (r *Rule) Reversed() *Rule {
	reversed := *r
	reversed.above = !r.above
	return &reversed
}

// notErrors are words in names that have those of errors beside the name of the values themselves.
var notErrors = []string{"mean", "avg", "average", "median", "geomean"}

// OfErrors reports whether a column has the error or the number of other values, by its name. The number of repeats in
// "IC50 (n=3)" and the n of a name such as N-terminal do not count.
func OfErrors(name string) bool {
	words := wordsOf(name)
	last := len(words) - 1
	words = slices.DeleteFunc(words, func(w string) bool { return w == "n" && words[last] != "n" })
	return !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(notErrors, w) }) && ofErrors(strings.Join(words, " "))
}
