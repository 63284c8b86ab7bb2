package label

import (
	"slices"
	"strings"
)

// What columns of signs and of units are called where that of the measurements has the
// word value: Standard Relation and Standard Units stand beside Standard Value.
var (
	SignWords = []string{"relation", "qualifier", "operator"}
	UnitWords = []string{"units", "unit"}
)

// Beside returns the column that is called like that with number at, with another word
// in place of "value"; −1 where there is none.
func Beside(header []string, at int, words ...string) int {
	name := strings.ToLower(strings.TrimSpace(header[at]))
	if !strings.Contains(name, "value") {
		return -1
	}
	for _, word := range words {
		want := strings.Replace(name, "value", word, 1)
		if i := slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), want) }); i >= 0 {
			return i
		}
	}
	return -1
}
