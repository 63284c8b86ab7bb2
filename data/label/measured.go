package label

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pacia/data/note"
	"pacia/internal/badinput"
)

func (c *Column) readMeasurements(r *Reading) error {
	r.Values, r.Sides = make([]float64, len(c.Cells)), make([]int8, len(c.Cells))
	for i := range r.Values {
		r.Values[i] = math.NaN()
	}
	info := c.info()
	counted, err := c.countedType(r)
	if err != nil {
		return err
	}
	if counted != "" && info.usual == either && !info.log {
		of := parseName(counted)
		info.usual, info.log = of.usual, of.log
	}
	if !info.log && info.concentration() && c.Rule.threshold <= 0 && c.Rule.unit.dimension == "" {
		info.log, info.usual = true, below
		r.Notes = append(r.Notes, note.Note{Text: "values and threshold are logarithms, as the threshold is not above 0", Switch: "--value-unit"})
	}
	c.positive = info.concentration() && !info.log && c.mostlyNegative()
	commas, err := c.commas(r)
	if err != nil {
		return err
	}
	base, err := c.base(r, info)
	if err != nil {
		return err
	}
	if info.usual == above && !info.log && (base.dimension == "molar" || base.dimension == "mass") {
		info.usual = either // an activity in nM is a concentration, and not a response
	}
	found := map[Verdict]map[string][]int{Inactive: {}, Active: {}, Missing: {}} // built-in words
	for i, cell := range c.Cells {
		v := c.measured(r, i, commas, base)
		r.Verdicts[i] = v
		text := strings.TrimSpace(cell)
		if v > Missing || text == "" || !math.IsNaN(r.Values[i]) {
			continue
		}
		if _, chosen := c.chosenWord(text); !chosen {
			found[v][text] = append(found[v][text], i)
		}
	}
	r.noteWords(found[Active], "active", "--inactive-words")
	r.noteWords(found[Inactive], "inactive", "--active-words")
	r.noteUntested(found[Missing])
	if err := c.comparable(r); err != nil {
		return err
	}
	name := c.Name
	if counted != "" && parseName(name).usual == either {
		name = counted
	}
	if text := c.Rule.wrongSide(name, info.usual); text != "" {
		r.Notes = append(r.Notes, note.Note{Text: text, Warning: true, Switch: "--active-above, --active-below"})
	}
	return nil
}

// measured reads one cell.
func (c *Column) measured(r *Reading, i int, commas bool, base unit) Verdict {
	cell := strings.TrimSpace(c.Cells[i])
	if v, ok := c.chosenWord(cell); ok {
		return v
	}
	if v, ok := words[strings.ToLower(cell)]; ok && (v >= Missing || digitsAt(cell) == 0) {
		if v == Undecided {
			r.Why[i] = badinput.Quote(cell)
		}
		return v
	}
	if dash := plainSign(cell); dash == "-" || dash == "(-)" {
		return Missing
	}
	if !c.hasType(i) {
		r.Why[i] = "of the type " + badinput.Quote(strings.TrimSpace(c.Types[i])) + " and not " + c.Type
		return Other
	}
	m, ok := parseMeasurement(cell, commas)
	if !ok {
		r.Why[i] = badinput.Quote(cell) + " cannot be read as a measurement"
		return Unread
	}
	if c.Signs != nil {
		sign, orEq, ok := parseSign(c.Signs[i])
		switch {
		case !ok:
			r.Why[i] = "the sign " + badinput.Quote(c.Signs[i]) + " is not known"
			return Unread
		case m.sign == '=':
			m.sign, m.orEq = sign, orEq
		}
	}
	u, why := c.unitAt(i, m, base)
	if why != "" {
		r.Why[i] = why
		return Other
	}
	if m.value <= 0 && (u.dimension == "molar" || u.dimension == "mass") || m.value < 0 && c.positive && u.dimension == "" { // −999, or a logarithm
		r.Why[i] = badinput.Quote(cell) + " is not a concentration"
		return Unread
	}
	r.Values[i], r.Sides[i] = m.value, Side(m.sign)
	if c.Rule.unit.dimension != "" {
		r.Values[i] *= u.factor / c.Rule.unit.factor
	}
	v := c.Rule.decide(m, u)
	if v == Undecided {
		r.Why[i] = badinput.Quote(strings.TrimSpace(c.signAt(i) + cell))
	}
	return v
}

func (c *Column) signAt(i int) string {
	if c.Signs == nil {
		return ""
	}
	return strings.Trim(c.Signs[i], "'\"")
}

// unitAt returns the unit of a value: the one in the cell, in the column of units, or base. why is the
// reason why the value cannot be compared with the threshold, or empty.
func (c *Column) unitAt(i int, m measurement, base unit) (u unit, why string) {
	u = m.unit
	if u.dimension == "" && c.Units != nil {
		if u = unitOf(c.Units[i]); u.dimension == "" && c.ValueUnit == "" {
			return u, fmt.Sprintf("%s has no unit, and other values have one", badinput.Quote(strings.TrimSpace(c.Cells[i])))
		}
	}
	if u.dimension == "" {
		u = base
	}
	switch {
	case c.Rule.unit.dimension != "" && u.dimension != c.Rule.unit.dimension:
		return u, fmt.Sprintf("the unit %s cannot be compared with the threshold's, %s", u.name, c.Rule.unit.name)
	case c.Rule.unit.dimension == "" && !u.same(base):
		return u, fmt.Sprintf("%s has another unit than the threshold", badinput.Quote(strings.TrimSpace(c.Cells[i])))
	}
	return u, ""
}

// base returns the unit of values without one. In order of precedence it comes from the user, a row below
// the header, the column's name or the threshold.
func (c *Column) base(r *Reading, info nameInfo) (unit, error) {
	asked := func(what string) error {
		return &badinput.Error{What: what, Fix: "write the unit of its values as --value-unit, and that of the threshold as --unit"}
	}
	from, u := "", unit{}
	switch own, ok := parseUnit(c.ValueUnit); {
	case !ok && !LogUnit(c.ValueUnit):
		return u, &badinput.Error{What: "--value-unit " + c.ValueUnit + " is not known", Fix: "write " + knownUnits}
	case own.dimension != "":
		u = own
	case c.Rule.unit.dimension != "" && info.log:
		return u, &badinput.Error{What: "the values of " + badinput.Quote(c.Name) + " are logarithms, and the threshold has the unit " + c.Rule.unit.name, Fix: "write the threshold as a logarithm, without --unit"}
	case info.log:
		return u, nil
	case c.Unit != "":
		if u, ok = parseUnit(c.Unit); !ok {
			return u, asked("the unit " + badinput.Quote(c.Unit) + " below the header is not known")
		}
		from = "by the row below the header"
	case len(info.units) > 1:
		return u, asked("the name " + badinput.Quote(c.Name) + " holds several units")
	case len(info.units) == 1:
		u, from = info.units[0], "by the column's name"
	case c.Rule.unit.dimension != "" && len(info.foreign) > 0 && c.Units == nil:
		return u, asked("the unit " + info.foreign[0] + " of " + badinput.Quote(c.Name) + " is not known")
	default:
		if what := c.unclearUnit(info); what != "" {
			return u, asked(what)
		}
	}
	if c.Rule.unit.dimension == "" {
		return u, c.threshold(r, u)
	}
	if u.dimension == "" {
		u, from = c.Rule.unit, "as the threshold"
		if c.Units != nil {
			return u, nil // each value has its own
		}
	}
	switch {
	case from == "" || !slices.ContainsFunc(c.Cells, c.bare):
	case c.Units == nil:
		r.Notes = append(r.Notes, note.Note{Text: "values in " + u.name + ", " + from, Switch: "--value-unit"})
	case slices.ContainsFunc(c.Units, func(text string) bool { own := unitOf(text); return own.dimension == u.dimension && !own.same(u) }):
		text := "values in the units of the column beside, and not in " + u.name + ", " + from
		r.Notes = append(r.Notes, note.Note{Text: text, Switch: "--unit-column", Warning: true})
	}
	return u, nil
}

// unclearUnit returns a question if the column's name may state another unit than the threshold's, which values
// without a unit would get. It is empty if there is none.
func (c *Column) unclearUnit(info nameInfo) string {
	of := c.Rule.unit.dimension
	if of != "molar" && of != "mass" || c.Units != nil || !slices.ContainsFunc(c.Cells, c.bare) {
		return ""
	}
	for _, p := range info.unclear {
		switch p.unit.dimension {
		case "":
			return "the unit " + p.text + " of " + badinput.Quote(c.Name) + " is not known"
		case of:
			return fmt.Sprintf("%s in the name %s may be a condition, or %s the unit of the values", p.text, badinput.Quote(c.Name), p.unit.name)
		}
	}
	return ""
}

// bare reports whether a cell is a number without a unit.
func (c *Column) bare(cell string) bool {
	m, ok := parseMeasurement(cell, false)
	return ok && m.unit.dimension == ""
}

// threshold notes the unit that a threshold without one is assumed to have. It returns an error if base has no
// unit and a value has one.
func (c *Column) threshold(r *Reading, base unit) error {
	if base.dimension != "" {
		r.Notes = append(r.Notes, note.Note{Text: "the threshold in " + base.name + ", as the values", Switch: "--unit"})
		return nil
	}
	for i, cell := range c.Cells {
		m, ok := parseMeasurement(cell, false)
		if ok && m.unit.dimension == "" && c.Units != nil {
			m.unit = unitOf(c.Units[i])
		}
		if ok && m.unit.dimension != "" && c.hasType(i) {
			return &badinput.Error{Row: i + 1, What: fmt.Sprintf("%s has a unit, %s, and the threshold has none", badinput.Quote(strings.TrimSpace(cell)), m.unit.name), Fix: "write --unit, that of the threshold"}
		}
	}
	return nil
}

// comparable returns an error if none of the column's values can be compared with the threshold.
func (c *Column) comparable(r *Reading) error {
	first := slices.Index(r.Verdicts, Other)
	if first < 0 || slices.ContainsFunc(r.Verdicts, func(v Verdict) bool { return v <= Active || v == Undecided }) {
		return nil
	}
	return &badinput.Error{Row: first + 1, What: r.Why[first], Fix: "write --unit, that of the threshold, or choose another column with --label"}
}

// countedType returns the type of measurements that counts: the user's choice, the type that the column's
// name contains, or the most frequent one. It returns an error if the column has no value of the user's type,
// or if a second type is nearly as frequent. The type is empty without a column of types.
func (c *Column) countedType(r *Reading) (string, error) {
	if c.Types == nil {
		return "", nil
	}
	count, texts := map[string]int{}, map[string]string{}
	for i, name := range c.Types {
		if name = strings.TrimSpace(name); IsMeasurement(c.Cells[i]) {
			count[strings.ToLower(name)]++
			texts[strings.ToLower(name)] = name
		}
	}
	if len(count) == 0 {
		c.Types = nil
		return "", nil
	}
	all := make([]string, 0, len(count))
	for name := range count {
		all = append(all, name)
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	chosen := all[0]
	if c.Type != "" {
		chosen = strings.ToLower(c.Type)
		if count[chosen] == 0 {
			return "", &badinput.Error{What: "--type " + c.Type + ": no value is of this type", Fix: "write " + badinput.List(all)}
		}
	} else if named := slices.IndexFunc(all, func(name string) bool { return slices.Contains(wordsOf(c.Name), name) }); named >= 0 {
		chosen = all[named]
	} else if len(all) > 1 && count[all[1]]*5 >= count[all[0]]*4 {
		return "", &badinput.Error{What: fmt.Sprintf("values are of several types: %d of %s and %d of %s", count[all[0]], texts[all[0]], count[all[1]], texts[all[1]]),
			Fix: "write the one that counts as --type"}
	}
	if c.Type = texts[chosen]; len(all) > 1 {
		r.Notes = append(r.Notes, note.Note{Text: "only values of the type " + c.Type + " count", Switch: "--type, --type-column"})
	}
	return c.Type, nil
}
