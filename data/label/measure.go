package label

import (
	"slices"
	"strings"
)

// typeIn returns the type of measurement that a cell or a name states, such as ic50 or pki, in
// lower case; empty if it is not a known one.
func typeIn(text string) string {
	text = strings.ToLower(strings.TrimSpace(text))
	switch {
	case isEndpoint(text), negLog.MatchString(text), fusedLog.MatchString(text), slices.Contains(largeValues, text),
		slices.Contains(smallValues, text), slices.Contains(noSide, text):
		return text
	}
	if info := parseName(text); info.log && slices.ContainsFunc(wordsOf(text), isEndpoint) { // -Log IC50
		return text
	}
	return ""
}

// isEndpoint reports whether a word in lower case is the name of a measurement that is small for actives.
func isEndpoint(word string) bool {
	return slices.Contains(endpoints, word) || halfway.MatchString(word)
}

// NamesEndpoint reports whether a column's name has a type of measurements such as IC50, and not only a unit, which a dose
// also has.
func NamesEndpoint(name string) bool {
	info := parseName(name)
	return info.log || info.usual != either
}

// NamesMeasure reports whether a column's name has a type of measurements such as IC50, or a unit, and not only a word
// such as value.
func NamesMeasure(name string) bool {
	return NamesEndpoint(name) || len(parseName(name).units) > 0
}

// MeasurementName reports whether a column's name is one of measurements: it contains a type such as
// IC50, a unit, or a word such as value.
func MeasurementName(name string) bool {
	if NamesMeasure(name) || len(parseName(name).foreign) > 0 {
		return true
	}
	return slices.ContainsFunc(wordsOf(name), func(w string) bool { return w == "value" || w == "values" || w == "result" || w == "results" })
}
