package label

import "strings"

// A unit has a dimension, and a factor to its base.
type unit struct {
	name   string // as it is shown
	of     string // dimension: molar, mass, share; empty: a plain number
	factor float64
}

// metric are the prefixes of concentrations.
var metric = map[string]float64{"": 1, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12, "f": 1e-15, "k": 1e3}

// parseUnit reads a unit: M with a prefix (also written mol/l), g/l and g/ml with
// one, or %; false where it is none that is known. The two letters µ and μ are alike, and u.
func parseUnit(text string) (unit, bool) {
	name := strings.TrimSpace(text)
	if name == "" {
		return unit{}, true
	}
	plain := strings.NewReplacer("µ", "u", "μ", "u", "micro", "u", "nano", "n", "pico", "p", "milli", "m", "molar", "M", " ", "", "·", "").Replace(name)
	if plain == "%" || strings.EqualFold(plain, "percent") || strings.HasPrefix(strings.ToLower(plain), "%inh") {
		return unit{name, "share", 1}, true
	}
	for _, kind := range []struct {
		ending, of string
		factor     float64
	}{
		{"mol/l", "molar", 1}, {"mol.l-1", "molar", 1}, {"moll-1", "molar", 1},
		{"g/ml", "mass", 1e3}, {"g.ml-1", "mass", 1e3}, {"g/l", "mass", 1},
	} {
		if prefix, found := strings.CutSuffix(strings.ToLower(plain), kind.ending); found {
			if f, known := metric[prefix]; known {
				return unit{name, kind.of, f * kind.factor}, true
			}
			return unit{}, false
		}
	}
	// Of the letter alone M is molar; "nm" and "um", which are lengths, can only be meant so, too.
	if prefix, found := strings.CutSuffix(plain, "M"); found {
		f, known := metric[strings.ToLower(prefix)]
		if prefix == "m" || prefix == "" {
			known = true
		}
		return unit{name, "molar", f}, known && prefix != "k"
	}
	switch strings.ToLower(plain) {
	case "nm", "um", "pm":
		return unit{name, "molar", metric[strings.ToLower(plain[:1])]}, true
	}
	return unit{}, false
}

// ofHeader returns the unit that a column's name ends in, such as "IC50 (nM)",
// "IC50 [µM]", "IC50_nM" or "IC50, uM".
func ofHeader(name string) unit {
	name = strings.TrimSpace(name)
	if strings.Contains(name, "%") {
		return unit{"%", "share", 1} // and of what, as in "% inhibition at 10 uM"
	}
	if last := len(name) - 1; last > 0 && (name[last] == ')' || name[last] == ']') {
		if open := strings.LastIndexAny(name, "(["); open >= 0 {
			u, _ := parseUnit(name[open+1 : last])
			return u
		}
	}
	if at := strings.LastIndexAny(name, " _,/"); at > 0 {
		if u, ok := parseUnit(name[at+1:]); ok {
			return u
		}
	}
	return unit{}
}
