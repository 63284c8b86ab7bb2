package label

import (
	"slices"
	"strings"
)

// logUnits are the values of --value-unit for logarithms, and for negative ones.
var logUnits = []string{"log", "-log"}

// LogUnit reports whether a value of --value-unit is one of logarithms.
func LogUnit(text string) bool {
	return slices.Contains(logUnits, strings.ToLower(strings.TrimSpace(text)))
}

// info returns what the column's name states about its values, and the user about logarithms.
func (c *Column) info() nameInfo {
	n := parseName(c.Name)
	switch strings.ToLower(c.ValueUnit) {
	case logUnits[0]:
		n.log, n.usual = true, below
	case logUnits[1]:
		n.log, n.usual = true, above
	}
	return n
}

// mostlyNegative reports whether more than a third of the cells are negative numbers.
func (c *Column) mostlyNegative() bool {
	n := 0
	for _, cell := range c.Cells {
		if m, ok := parseMeasurement(cell, false); ok && m.value < 0 {
			n++
		}
	}
	return 3*n > len(c.Cells)
}

// concentration reports whether the values are concentrations, by the name, unless they are logarithms.
func (n *nameInfo) concentration() bool {
	return n.endpoint || slices.ContainsFunc(n.units, func(u unit) bool { return u.dimension == "molar" || u.dimension == "mass" })
}
