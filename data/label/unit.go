package label

import (
	"slices"
	"strings"
)

// A unit has a dimension, and a factor that converts it to the base unit of this dimension.
type unit struct {
	name      string // as it is shown
	dimension string // dimension: molar, mass, share; empty: a plain number
	factor    float64
}

// same reports whether two units are equal, under any name.
func (u unit) same(as unit) bool { return u.dimension == as.dimension && u.factor == as.factor }

// knownUnits are the units that messages list.
const knownUnits = "M, mM, uM, nM, pM, mol/l, g/l, mg/l, ug/ml or %"

// metric are the prefixes of concentrations.
var metric = map[string]float64{"": 1, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12, "f": 1e-15, "k": 1e3}

// litres are the volumes that amounts are divided by, with the number of each in a litre.
var litres = map[string]float64{"l": 1, "dm3": 1, "ml": 1e3, "cm3": 1e3, "dl": 10, "ul": 1e6}

// spelt replaces other spellings of units.
// Two of them are µ and μ in UTF-8 that was decoded as Latin-1. Russian letters and the Greek Μ look like Latin ones.
var spelt = strings.NewReplacer("Âµ", "u", "Î¼", "u", "µ", "u", "μ", "u", "mc", "u", "MCG", "ug", "Mc", "u", "micro", "u",
	"мк", "u", "моль", "mol", "мл", "ml", "л", "l", "н", "n", "п", "p", "М", "M", "м", "m", "Μ", "M", "moles", "mol", "mole", "mol",
	"nano", "n", "pico", "p", "femto", "f", "milli", "m", "molar", "M",
	"⁻¹", "-1", "−1", "-1", "–1", "-1", "^-1", "-1", "**-1", "-1", "litre", "l", "liter", "l", "per", "/", " ", "", "·", "", "⋅", "", "∙", "", "\u00a0", "")

// parseUnit reads a unit: M, mol/l or g/l with an optional prefix, or %. It returns false for an unknown
// unit. The two letters µ and μ are read as u. An empty text is a unit without a dimension.
func parseUnit(text string) (unit, bool) {
	name := strings.TrimSpace(Plain(text))
	if name == "" {
		return unit{}, true
	}
	if len(name) > 40 {
		return unit{}, false
	}
	lower := strings.ToLower(name)
	if lower == "%" || lower == "percent" || lower == "per cent" || lower == "pct" || strings.HasPrefix(strings.ReplaceAll(lower, " ", ""), "%inh") {
		return unit{name, "share", 1}, true
	}
	plain := spelt.Replace(name)
	if words := spelt.Replace(lower); strings.HasSuffix(words, "M") { // MICROMOLAR
		plain = words
	}
	if u, ok := perLitre(strings.ToLower(plain)); ok {
		u.name = name
		return u, true
	}
	if plain == "" { // a dot, such as the one between two words of a name
		return unit{}, false
	}
	// Without a prefix, only M is molar. "nm", "um" and "pm" are lengths, but here they can only mean
	// molar units. "mm" and "MM" are ambiguous, and not accepted.
	prefix, letter := plain[:len(plain)-1], plain[len(plain)-1]
	f, ok := metric[strings.ToLower(prefix)]
	switch {
	case !ok || letter != 'M' && letter != 'm', prefix == "k", prefix == "K":
		return unit{}, false
	case strings.EqualFold(prefix, "m") && prefix+string(letter) != "mM", prefix == "" && letter != 'M':
		return unit{}, false
	}
	return unit{name, "molar", f}, true
}

// perLitre reads an amount of substance or a mass per volume.
func perLitre(plain string) (unit, bool) {
	if rest, inverse := strings.CutSuffix(plain, "-1"); inverse {
		for _, volume := range []string{"dm3", "cm3", "ml", "dl", "ul", "l"} {
			if amount, found := strings.CutSuffix(rest, volume); found {
				plain = strings.TrimRight(amount, ".*") + "/" + volume
				break
			}
		}
	}
	amount, volume, found := strings.Cut(plain, "/")
	by, known := litres[volume]
	if !found || !known {
		return unit{}, false
	}
	for _, kind := range []struct{ ending, dimension string }{{"mol", "molar"}, {"g", "mass"}} {
		if prefix, of := strings.CutSuffix(amount, kind.ending); of {
			f, ok := metric[prefix]
			return unit{dimension: kind.dimension, factor: f * by}, ok
		}
	}
	return unit{}, false
}

// foreign are units of other quantities, in lower case: values in them are not compared with
// concentrations.
var foreign = map[string]bool{
	"mm": true, "kcal/mol": true, "kj/mol": true, "mg/kg": true, "ug/kg": true, "ppm": true, "ppb": true, "rfu": true, "rlu": true, "cpm": true, "au": true, "da": true,
	"s": true, "sec": true, "min": true, "h": true, "hr": true, "hrs": true, "days": true, "s-1": true, "min-1": true, "/s": true, "/min": true,
	"m-1s-1": true, "ul/min/mg": true, "ml/min/kg": true, "cm/s": true, "10^-6cm/s": true, "fold": true, "ratio": true, "x": true, "log": true,
}

// unitOf reads a cell of a column of units. An unknown unit gets a dimension of its own.
func unitOf(text string) unit {
	text = strings.Trim(strings.TrimSpace(text), "'\"")
	if u, ok := parseUnit(strings.Trim(text, "()[]")); ok {
		return u
	}
	return unit{name: text, dimension: "another unit, " + strings.ToLower(text), factor: 1}
}

// kindsOfCells are descriptions of columns, as they appear in rows between a header and the first molecule.
var kindsOfCells = []string{
	"string", "text", "char", "varchar", "str", "object", "float", "double", "real", "decimal", "number", "numeric", "int", "integer", "long", "bool", "boolean", "date",
	"smiles", "smi", "molecule", "structure", "id", "identifier", "none", "-", "n/a", "na", "unit", "units", "unitless", "dimensionless",
}

// IsDescription reports whether a cell describes a column: it is a unit, or a type such as
// float.
func IsDescription(cell string) bool {
	return IsUnit(cell) || slices.Contains(kindsOfCells, strings.ToLower(strings.Trim(cell, " ()[]")))
}

// IsUnit reports whether a cell contains only a known unit.
func IsUnit(cell string) bool {
	u, ok := parseUnit(cell)
	return ok && u.dimension != ""
}
