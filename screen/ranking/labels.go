package ranking

import (
	"fmt"
	"slices"
	"strings"

	"pacia/data/table"
	"pacia/internal/badinput"
)

// labelNames are what a column of labels may be called where there are
// several columns.
var labelNames = []string{"label", "active", "activity", "class", "y", "hit", "outcome", "pubchem_activity_outcome"}

// measured are what columns of measurements are called, at least with their first word.
var measured = []string{"ic50", "ec50", "ac50", "gi50", "cc50", "ki", "kd", "mic", "pic50", "pec50", "pki", "pkd", "potency", "inhibition", "standard value", "pchembl value"}

// labelColumn returns the one that is asked for; or the one with a usual name, or the
// only one besides the SMILES, of several the only one that holds no names.
func (t *Table) labelColumn(l Labels) (int, error) {
	if l.Column != "" {
		at := table.Column(t.Header, l.Column)
		if at >= 0 && at != t.SMILES {
			return at, nil
		}
		return 0, &badinput.Error{File: t.files[0].Name, Row: 1, What: fmt.Sprintf("no column %q for the labels among %s", l.Column, strings.Join(t.Header, ", ")),
			Fix: fmt.Sprintf("the nearest is %q", table.Nearest(l.Column, t.Header))}
	}
	var named, values, others, plain []int
	for i, h := range t.Header {
		name := strings.ToLower(strings.TrimSpace(h))
		if i == t.SMILES {
			continue
		}
		if slices.Contains(labelNames, name) {
			named = append(named, i)
		}
		if slices.Contains(measured, name) || slices.Contains(measured, firstWord(name)) {
			values = append(values, i)
		}
		others = append(others, i)
		if !table.NameLike(h) {
			plain = append(plain, i)
		}
	}
	switch {
	case l.Rule != nil && len(values) == 1:
		return values[0], nil
	case l.Rule != nil && len(values) > 1: // not clear
	case len(named) == 1:
		return named[0], nil
	case len(named) > 1: // not clear
	case len(others) == 1:
		return others[0], nil
	case len(plain) == 1:
		return plain[0], nil
	}
	return 0, &badinput.Error{
		File: t.files[0].Name, Row: 1, What: "which column holds the labels is not clear from " + strings.Join(t.Header, ", "),
		Fix: "name it with --label, or call one column label",
	}
}

// firstWord is what stands before a blank, a bracket or an underscore.
func firstWord(name string) string {
	name = strings.TrimSpace(strings.TrimPrefix(name, "%"))
	if end := strings.IndexAny(name, " ,:([_"); end > 0 {
		return name[:end]
	}
	return name
}
