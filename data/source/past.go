package source

import (
	"cmp"
	"math"
	"slices"

	"pacia/data"
	"pacia/data/assay"
)

// orders converts the assays of a table to rows of a store of n molecules, with the measurements on a scale on which actives
// have larger values. index is as for taskOf. A molecule counts once in each assay, with the median of its measurements or,
// if it has none, with the label of most of its rows.
func orders(tasks []assay.Task, index []int32, n int) []data.Task {
	m := merging{place: make([]int32, n)}
	for i := range m.place {
		m.place[i] = -1
	}
	all := make([]data.Task, 0, len(tasks))
	for i := range tasks {
		all = append(all, m.task(&tasks[i], index))
	}
	return all
}

// merging merges the rows of a molecule in one assay after the other.
type merging struct {
	place  []int32     // [n] of each molecule in an assay; −1: it is not there
	values [][]float64 // of each molecule of the assay
	votes  []int       // active labels minus inactive ones
}

func (m *merging) task(t *assay.Task, index []int32) data.Task {
	of := data.Task{Name: t.Name}
	m.values, m.votes = m.values[:0], m.votes[:0]
	for k, row := range t.Rows {
		molecule := index[row]
		if molecule < 0 {
			continue
		}
		at := m.place[molecule]
		if at < 0 {
			at = int32(len(of.Rows))
			m.place[molecule] = at
			of.Rows, m.votes = append(of.Rows, molecule), append(m.votes, 0)
			if len(m.values) < cap(m.values) {
				m.values = m.values[:at+1]
				m.values[at] = m.values[at][:0]
			} else {
				m.values = append(m.values, nil)
			}
		}
		if t.Rule != nil && !math.IsNaN(t.Values[k]) {
			if v, ok := t.Rule.Scale().To(t.Values[k], 0); ok {
				m.values[at] = append(m.values[at], v.Value)
			}
			continue
		}
		m.votes[at] += 2*int(t.Labels[k]) - 1
	}
	for _, molecule := range of.Rows {
		m.place[molecule] = -1
	}
	return m.decided(of)
}

// decided returns a task with the labels of its molecules, and their values if it has any. Those without a value and with as
// many active labels as inactive ones are left out.
func (m *merging) decided(t data.Task) data.Task {
	of, measured := data.Task{Name: t.Name}, false
	for at, row := range t.Rows {
		value := math.NaN()
		if len(m.values[at]) > 0 {
			value, _, _ = assay.Median(m.values[at])
			measured = true
		} else if m.votes[at] == 0 {
			continue
		}
		of.Rows, of.Labels = append(of.Rows, row), append(of.Labels, uint8(max(0, cmp.Compare(m.votes[at], 0))))
		of.Values = append(of.Values, data.Measured{Value: value})
	}
	if !measured {
		of.Values = nil
	}
	divide(&of)
	return of
}

// divide labels the measured molecules of a task: active is what is above the median or, if no molecule is, what is as large.
func divide(t *data.Task) {
	var known []float64
	for _, v := range t.Values {
		if !math.IsNaN(v.Value) {
			known = append(known, v.Value)
		}
	}
	if len(known) == 0 {
		return
	}
	slices.Sort(known)
	median := known[(len(known)-1)/2]
	equal := median == known[len(known)-1]
	for i, v := range t.Values {
		if !math.IsNaN(v.Value) {
			t.Labels[i] = 0
			if v.Value > median || equal && v.Value == median {
				t.Labels[i] = 1
			}
		}
	}
}
