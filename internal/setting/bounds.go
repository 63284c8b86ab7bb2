package setting

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// bounds holds the two ends of a range, as text and as numbers.
type bounds struct {
	least, most      string
	min, max         float64
	minOpen, maxOpen bool // the end is excluded
}

// bounds parses the tag range. It returns false if there is none.
func (s Setting) bounds() (b bounds, ok bool) {
	tag, ok := s.tag.Lookup("range")
	if !ok {
		return b, false
	}
	ends := strings.Fields(strings.Trim(tag, "[]()"))
	if len(ends) != 2 {
		panic(fmt.Sprintf("setting: %s has the range %q, which does not have two ends", s.Name, tag))
	}
	b.least, b.most = ends[0], ends[1]
	b.minOpen, b.maxOpen = strings.HasPrefix(tag, "("), strings.HasSuffix(tag, ")")
	var errMin, errMax error
	b.min, errMin = strconv.ParseFloat(b.least, 64)
	b.max, errMax = strconv.ParseFloat(b.most, 64)
	if errMin != nil || errMax != nil || b.min > b.max || math.IsInf(b.min, 0) {
		panic(fmt.Sprintf("setting: %s has the range %q, which is not a range of numbers", s.Name, tag))
	}
	return b, true
}

func (b bounds) hold(v float64) bool {
	return (b.min < v || b.min == v && !b.minOpen) && (v < b.max || b.max == v && !b.maxOpen)
}

// describe returns a description of the range, with least as its lower end.
func (b bounds) describe(least string) string {
	unbounded := math.IsInf(b.max, 1)
	switch {
	case b.minOpen && unbounded:
		return "above " + least
	case unbounded:
		return least + " or more"
	case b.minOpen && b.maxOpen:
		return "above " + least + ", below " + b.most
	case b.minOpen:
		return "above " + least + ", at most " + b.most
	case b.maxOpen:
		return least + " to below " + b.most
	}
	return least + " to " + b.most
}
