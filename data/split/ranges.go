package split

import (
	"errors"
	"strconv"
	"strings"
)

// explicit is the advice if no split is known by name.
const explicit = `write the tasks as TRAIN/TEST, such as "0-8/9-11" or "assay_a,assay_b/assay_c"`

// numbers expands a list of numbers and ranges.
func numbers(list string) []int {
	var all []int
	for item := range strings.SplitSeq(list, ",") {
		if from, to, ok := parseRange(item); ok {
			for n := from; n <= to; n++ {
				all = append(all, n)
			}
		}
	}
	return all
}

// parseRange reads "7" or "3-9".
func parseRange(item string) (from, to int, ok bool) {
	first, last, isRange := strings.Cut(item, "-")
	if !isRange {
		last = first
	}
	from, ok = parseNumber(first)
	if !ok {
		return 0, 0, false
	}
	to, ok = parseNumber(last)
	return from, to, ok
}

// parseNumber reads digits. A number too long for any list is the largest one.
func parseNumber(digits string) (n int, ok bool) {
	u, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 31)
	return int(u), err == nil || errors.Is(err, strconv.ErrRange)
}
