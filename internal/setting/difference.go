package setting

import (
	"cmp"
	"fmt"
	"slices"

	"pacia/internal/badinput"
	"pacia/internal/each"
)

// Difference is a setting whose value has changed.
type Difference struct{ Name, Before, Now string }

// FirstDifference returns the first setting of a struct, in its order, that differs from those of before and is none of
// free, or nil.
func FirstDifference(before, now any, free ...string) *Difference {
	old := each.Pairs(List("", before), func(s Setting) (string, string) { return s.Name, s.Value })
	for _, s := range List("", now) {
		if was, had := old[s.Name]; (!had || was != s.Value) && !slices.Contains(free, s.Name) {
			return &Difference{s.Name, was, s.Value}
		}
	}
	return nil
}

// Resumed returns the error of a run that was begun with the value before and is resumed with another: bad input in a file,
// or nil without a difference. format has a name and a value, as they are written.
func (d *Difference) Resumed(file, format string) error {
	if d == nil {
		return nil
	}
	written := func(value string) string { return fmt.Sprintf(format, d.Name, cmp.Or(value, `""`)) }
	return &badinput.Error{File: file, What: fmt.Sprintf("the run was begun with %s, now it is %s", written(d.Before), cmp.Or(d.Now, `""`)),
		Fix: fmt.Sprintf("write %s to resume it, or another --out", written(d.Before))}
}
