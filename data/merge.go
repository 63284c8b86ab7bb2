package data

import (
	"cmp"
	"slices"
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
	type measurement struct {
		row   int32
		label uint8
	}
	var all []measurement
	for _, number := range m.Tasks {
		t := &d.Tasks[number]
		for i, row := range t.Rows {
			all = append(all, measurement{row, t.Labels[i]})
		}
	}
	slices.SortFunc(all, func(a, b measurement) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.label, b.label))
	})
	t := Task{Name: m.Name}
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].row == all[0].row {
			n++
		}
		if all[0].label == all[n-1].label {
			t.Rows, t.Labels = append(t.Rows, all[0].row), append(t.Labels, all[0].label)
		}
		all = all[n:]
	}
	t.SortClasses()
	return t
}
