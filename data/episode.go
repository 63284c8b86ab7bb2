package data

import (
	"fmt"
	"math/rand/v2"

	"pacia/internal/badinput"
	"pacia/internal/each"
)

// Episode is one draw from one task: N support and M query molecules, as
// rows of the store.
type Episode struct {
	Task          int        // number of the task in the data set
	Shots         int        // K, the number of support molecules of the smaller class
	Support       []int32    // [N] inactive first
	SupportLabels []uint8    // [N]
	SupportValues []Measured // [N] values that a model learns in place of labels; nil: it learns labels
	Query         []int32    // [M]
	QueryLabels   []uint8    // [M]
}

// NewSupport returns the episode that adapts a model to molecules with known
// labels. rows may be in any order, and classes of any size. The support has the
// inactive molecules first, and otherwise keeps the order. Each class must have a
// member.
func NewSupport(rows []int32, labels []uint8) (Episode, error) {
	return NewMeasured(rows, labels, nil)
}

// NewMeasured is like NewSupport, with the measured value of each molecule; nil: no values.
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

// episode converts positions in the task to rows of the store and labels.
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

// ShuffleSupport makes the labels of the support set random, in the same numbers. It
// permutes the molecules and keeps the labels: inactive first, then active.
func (e *Episode) ShuffleSupport(r *rand.Rand) {
	r.Shuffle(len(e.Support), func(i, j int) {
		e.Support[i], e.Support[j] = e.Support[j], e.Support[i]
	})
}

// SwapClasses returns the episode with all labels swapped, those of support molecules and of
// queries.
func (e Episode) SwapClasses() Episode {
	e = e.SwapSupport()
	labels := each.Of(e.QueryLabels, func(l uint8) uint8 { return 1 - l })
	e.QueryLabels = labels
	return e
}

// SwapSupport returns the episode with the labels of the support set swapped, and
// sorted again, inactive first. Queries keep their labels.
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
