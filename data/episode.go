package data

import (
	"fmt"
	"math/rand/v2"

	"pacia/internal/badinput"
	"pacia/internal/each"
)

// Episode is one draw from one task: N support and M query molecules, named
// by their rows in the store.
type Episode struct {
	Task          int        // number of the task in the data set
	Shots         int        // K, support molecules of the smaller class
	Support       []int32    // [N] inactive first
	SupportLabels []uint8    // [N]
	SupportValues []Measured // [N] what a model is to learn in place of labels; nil: the labels
	Query         []int32    // [M]
	QueryLabels   []uint8    // [M]
}

// NewSupport makes the episode that adapts a model to molecules with known
// labels, rows of a store in any order and classes of any size: inactive
// first, otherwise as they came. Without a member of each class it is a fault.
func NewSupport(rows []int32, labels []uint8) (Episode, error) {
	return NewMeasured(rows, labels, nil)
}

// NewMeasured is NewSupport of molecules with measured values; nil: there are none.
func NewMeasured(rows []int32, labels []uint8, values []Measured) (Episode, error) {
	if values != nil && len(values) != len(rows) {
		return Episode{}, fmt.Errorf("data.NewMeasured: %d molecules and %d values", len(rows), len(values))
	}
	if len(rows) != len(labels) {
		return Episode{}, fmt.Errorf("data.NewMeasured: %d molecules and %d labels", len(rows), len(labels))
	}
	for _, label := range labels {
		if label > 1 {
			return Episode{}, fmt.Errorf("data.NewMeasured: label %d is not 0 or 1", label)
		}
	}
	t := &Task{Rows: rows, Labels: labels, Values: values}
	inactive, active := t.Class(0), t.Class(1)
	if len(inactive) == 0 || len(active) == 0 {
		f := badinput.Newf("%d inactive and %d active support molecules", len(inactive), len(active))
		f.Fix = "give at least one of each"
		return Episode{}, f
	}
	all := append(append(make([]int32, 0, len(rows)), inactive...), active...)
	return t.episode(0, min(len(inactive), len(active)), all, nil), nil
}

// episode turns positions in the task into rows of the store and labels.
func (t *Task) episode(task, shots int, support, query []int32) Episode {
	e := Episode{Task: task, Shots: shots}
	e.Support, e.SupportLabels = t.pick(support)
	e.Query, e.QueryLabels = t.pick(query)
	if t.Values != nil {
		for _, p := range support {
			e.SupportValues = append(e.SupportValues, t.Values[p])
		}
	}
	return e
}

func (t *Task) pick(positions []int32) (rows []int32, labels []uint8) {
	rows, labels = make([]int32, len(positions)), make([]uint8, len(positions))
	for i, p := range positions {
		rows[i], labels[i] = t.Rows[p], t.Labels[p]
	}
	return rows, labels
}

// ShuffleSupport takes the meaning from the support set's labels. The molecules
// change places and the labels stay: inactive first, then active.
func (e *Episode) ShuffleSupport(r *rand.Rand) {
	r.Shuffle(len(e.Support), func(i, j int) {
		e.Support[i], e.Support[j] = e.Support[j], e.Support[i]
	})
}

// SwapClasses returns the episode with actives called inactive and inactives active,
// support molecules and queries alike.
func (e Episode) SwapClasses() Episode {
	e = e.SwapSupport()
	labels := each.Of(e.QueryLabels, func(l uint8) uint8 { return 1 - l })
	e.QueryLabels = labels
	return e
}

// SwapSupport returns the episode with the labels of the support set swapped, again
// inactive first: what was active is called inactive. Queries keep their labels.
func (e Episode) SwapSupport() Episode {
	n := len(e.Support)
	rows, labels := make([]int32, 0, n), make([]uint8, 0, n)
	for label := range uint8(2) {
		for i, row := range e.Support {
			if e.SupportLabels[i] == 1-label {
				rows, labels = append(rows, row), append(labels, label)
			}
		}
	}
	e.Support, e.SupportLabels = rows, labels
	return e
}
