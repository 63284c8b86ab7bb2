package data

import (
	"fmt"

	"pacia/fault"
)

// NewSupport makes the episode that adapts a model to molecules with known
// labels, rows of a store in any order and classes of any size: inactive
// first, otherwise as they came. Without a member of each class it is a fault.
func NewSupport(rows []int32, labels []uint8) (Episode, error) {
	if len(rows) != len(labels) {
		return Episode{}, fmt.Errorf("data.NewSupport: %d molecules and %d labels", len(rows), len(labels))
	}
	for _, label := range labels {
		if label > 1 {
			return Episode{}, fmt.Errorf("data.NewSupport: label %d is not 0 or 1", label)
		}
	}
	t := &Task{Rows: rows, Labels: labels}
	inactive, active := t.Class(0), t.Class(1)
	if len(inactive) == 0 || len(active) == 0 {
		f := fault.Newf("%d inactive and %d active support molecules", len(inactive), len(active))
		f.Fix = "give at least one of each"
		return Episode{}, f
	}
	all := append(append(make([]int32, 0, len(rows)), inactive...), active...)
	return t.episode(0, min(len(inactive), len(active)), all, nil), nil
}
