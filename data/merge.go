package data

import (
	"maps"
	"slices"

	"pacia/data/replicates"
)

// A Merger lists tasks that are merged into one.
type Merger struct {
	Name  string
	Tasks []int // numbers of the tasks
}

// Merge returns a data set with the tasks of d and, after them, one task for each merger. added are
// the numbers of the latter. A molecule whose labels differ between the merged tasks is left out of the
// new task. The returned data set shares the store of d, and closing it has no effect.
func (d *Dataset) Merge(mergers []Merger) (merged *Dataset, added []int) {
	merged = &Dataset{Name: d.Name, Store: d.Store, Tasks: slices.Clip(d.Tasks), Folds: d.Folds, Hash: d.Hash, Skipped: d.Skipped, Stored: d.Stored}
	for _, m := range mergers {
		added = append(added, len(merged.Tasks))
		merged.Tasks = append(merged.Tasks, d.merge(m))
	}
	return merged, added
}

func (d *Dataset) merge(m Merger) Task {
	var rows []int32
	var labels []uint8
	for _, number := range m.Tasks {
		rows, labels = append(rows, d.Tasks[number].Rows...), append(labels, d.Tasks[number].Labels...)
	}
	votes := replicates.Count(rows, labels)
	t := Task{Name: m.Name}
	for _, row := range slices.Sorted(maps.Keys(votes)) {
		if v := votes[row]; !v.Disagree() {
			t.Rows, t.Labels = append(t.Rows, row), append(t.Labels, v.Label())
		}
	}
	t.SortClasses()
	return t
}
