package data

import "pacia/internal/badinput"

// Task is one assay: the molecules measured in it, and their labels.
type Task struct {
	Name   string
	Rows   []int32 // [n] rows of the store, in the order of the file
	Labels []uint8 // [n] 0 inactive, 1 active

	Values []Measured // [n]; nil: not known

	classes [2][]int32 // positions of each label in Rows, ascending; nil before SortClasses
}

// Class returns the positions in t.Rows of the molecules with the label, in ascending
// order. The slice must not be written to.
func (t *Task) Class(label uint8) []int32 {
	if label > 1 {
		return nil
	}
	if len(t.classes[0])+len(t.classes[1]) == len(t.Labels) {
		return t.classes[label]
	}
	return classPositions(t.Labels)[label]
}

// SortClasses computes the classes of all later draws.
func (t *Task) SortClasses() { t.classes = classPositions(t.Labels) }

func classPositions(labels []uint8) (classes [2][]int32) {
	for i, label := range labels {
		classes[label] = append(classes[label], int32(i))
	}
	return classes
}

// fault returns the error for a task that cannot be drawn from, with the sizes of its classes.
func (t *Task) fault(why, fix string) error {
	f := badinput.Newf("%d inactive and %d active molecules, %s", len(t.Class(0)), len(t.Class(1)), why)
	f.Column, f.Fix = t.Name, fix
	return f
}
