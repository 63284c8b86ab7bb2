package label

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pacia/data/note"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// level returns the place of a cell on a scale of plus signs: the number of the signs, which 2+ states as a number, 0
// for a dash, and a half for (+) and +/-.
func level(cell string) (float64, bool) {
	cell = strings.ReplaceAll(strings.TrimSpace(cell), " ", "")
	switch plain := plainSign(cell); {
	case plain == "" || len(cell) > 12:
		return 0, false
	case plain == "-" || plain == "(-)" || plain == "0":
		return 0, true
	case plain == "(+)" || plain == "+/-" || plain == "±" || plain == "+-" || plain == "(+/-)" || plain == "-/+":
		return 0.5, true
	case strings.Trim(plain, "+") == "":
		return float64(len(plain)), true
	case len(plain) == 2 && plain[0] >= '0' && plain[0] <= '9' && plain[1] == '+':
		return float64(plain[0] - '0'), true
	}
	return 0, false
}

// IsLevel reports whether a cell belongs to a scale of several plus signs, such as ++ or 2+.
func IsLevel(cell string) bool {
	v, ok := level(cell)
	return ok && v >= 1 && strings.TrimSpace(cell) != "+"
}

// levels returns the place of each cell on a scale of plus signs, −1 for a cell without a label; nil if the column has
// no such scale: another cell is not a place on it, or none has several signs.
func (c *Column) levels() []float64 {
	at, several := make([]float64, len(c.Cells)), false
	for i, cell := range c.Cells {
		v, ok := level(cell)
		if !ok {
			if w, missing := word(cell); !missing || w != Missing {
				return nil
			}
			v = -1
		}
		at[i], several = v, several || IsLevel(cell)
	}
	if !several {
		return nil
	}
	return at
}

// readLevels reads a scale of plus signs. The words that the user chose divide it: levels above an active one are
// active, and those below an inactive one inactive.
func (c *Column) readLevels(r *Reading, at []float64) error {
	of := map[float64]string{} // a cell of each level
	lowest, highest, chosen := -1.0, -1.0, false
	for i, v := range at {
		if v < 0 {
			continue
		}
		of[v] = strings.TrimSpace(c.Cells[i])
		switch as, ok := c.chosenWord(c.Cells[i]); {
		case ok && as == Active && (lowest < 0 || v < lowest):
			lowest = v
		case ok && as == Inactive && v > highest:
			highest = v
		}
		_, ok := c.chosenWord(c.Cells[i])
		chosen = chosen || ok
	}
	all := make([]float64, 0, len(of))
	for v := range of {
		all = append(all, v)
	}
	slices.SortFunc(all, cmp.Compare[float64])
	texts := each.Of(all, func(v float64) string { return of[v] })
	if !chosen {
		k := max(1, len(all)/2)
		active := strings.Join(texts[k:], ";")
		return &badinput.Error{What: "the cells are a scale, " + strings.Join(texts, " "),
			Fix: fmt.Sprintf("write which are active, such as --active-words %q, or --active-above %v for more than so many plus signs",
				active, all[k-1])}
	}
	if lowest < 0 {
		lowest = highest + 1e-9
	}
	for i, v := range at {
		switch as, ok := c.chosenWord(c.Cells[i]); {
		case ok:
			r.Verdicts[i] = as
		case v < 0:
			r.Verdicts[i] = Missing
		case v >= lowest:
			r.Verdicts[i] = Active
		case highest < 0 || v <= highest:
			r.Verdicts[i] = Inactive
		default:
			r.Verdicts[i], r.Why[i] = Undecided, badinput.Quote(of[v])
		}
	}
	return nil
}

// counted returns the column with the number of plus signs in place of the signs, if it has a scale of them.
func (c *Column) counted(r *Reading) *Column {
	at := c.levels()
	if at == nil || c.Rule.unit.dimension != "" {
		return c
	}
	numbers := *c
	numbers.Cells = slices.Clone(c.Cells)
	for i, v := range at {
		if v >= 0 {
			numbers.Cells[i] = strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	r.Notes = append(r.Notes, note.Note{Text: "plus signs are counted", Switch: "--active-words"})
	return &numbers
}
