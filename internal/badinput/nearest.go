package badinput

import (
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// compared is the length in bytes of the longest name that is compared: a megabyte would take seconds. A name of
// more than twice this length is not near any.
const compared = 100

// Nearest returns the known name that a user may have meant by name, ignoring case, or "". Of the names that
// begin with it, it is the shortest. Otherwise it is the one with the fewest edits, a third of name's length at
// most: more would turn it into an unrelated word.
func Nearest(name string, known []string) string {
	if name == "" || len(name) > compared {
		return ""
	}
	low := strings.ToLower(name)
	nearest, begun, fewest := "", false, max(1, utf8.RuneCountInString(low)/3)+1
	for _, k := range known {
		other := strings.ToLower(k)
		begins := strings.HasPrefix(other, low)
		if !begins && (begun || len(other) > 2*compared) {
			continue
		}
		edits := len(other) - len(low)
		if !begins {
			edits = levenshtein.ComputeDistance(low, other)
		}
		if begins && !begun || edits < fewest {
			nearest, begun, fewest = k, begins, edits
		}
	}
	return nearest
}

// Suggest returns a Fix for an unknown name: the nearest known one or, if none is near, the text all, on where they are.
func Suggest(name string, known []string, all string) string {
	if near := Nearest(name, known); near != "" {
		return "the nearest known one is " + near
	}
	return all
}
