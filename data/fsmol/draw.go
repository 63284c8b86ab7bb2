package fsmol

import (
	"fmt"
	"slices"

	"pacia/data"
	"pacia/data/stratified"
	"pacia/fault"
)

// Draws is how often the benchmark draws each support size; draw k has the seed
// base + k.
const Draws = 10

// SupportSizes are the sizes of the support sets, both classes together.
var SupportSizes = []int{16, 32, 64, 128, 256}

// Draw draws a support set and queries from a task's labels, as positions of
// them, in the very order of the benchmark. queries is the most that are drawn,
// 0 all others.
//
// The benchmark hands the actives to scikit-learn first, as class 0, and the
// inactives after them, as class 1: its two lists are swapped. Results can be
// compared only if this is kept.
//
// An error wraps [stratified.ErrTooSmall] where the task does not hold such a
// draw: fewer than two queries, or a part with one class only. The benchmark
// leaves such a draw out.
func Draw(labels []uint8, support, queries int, seed uint32) (s, q []int32, err error) {
	order := make([]int32, 0, len(labels))
	class := make([]uint8, 0, len(labels))
	for swapped, label := range []uint8{1, 0} {
		for i, l := range labels {
			if l == label {
				order, class = append(order, int32(i)), append(class, uint8(swapped))
			}
		}
	}
	left := len(labels) - support
	if queries == 0 || queries > left {
		queries = left
	}
	if queries < 2 {
		return nil, nil, fmt.Errorf("%w: %d, a support set of %d leaves fewer than 2 queries", stratified.ErrTooSmall, len(labels), support)
	}
	s, q, err = stratified.Split(class, support, queries, seed)
	if err != nil {
		return nil, nil, err
	}
	for _, part := range [][]int32{s, q} {
		for i, p := range part {
			part[i] = order[p]
		}
	}
	if oneClass(labels, s) || oneClass(labels, q) {
		return nil, nil, fmt.Errorf("%w: a part of the draw has one class only", stratified.ErrTooSmall)
	}
	return s, q, nil
}

func oneClass(labels []uint8, positions []int32) bool {
	return !slices.ContainsFunc(positions, func(p int32) bool { return labels[p] != labels[positions[0]] })
}

// Episode is Draw from task number task, whose molecules need not be as many of
// each class: inactive ones first, as models expect them, each class in the
// order of the draw. Where the task does not hold the draw, the fault names it.
func Episode(t *data.Task, task, support, queries int, seed uint32) (data.Episode, error) {
	s, q, err := Draw(t.Labels, support, queries, seed)
	if err != nil {
		return data.Episode{}, &fault.Error{Column: t.Name, What: fmt.Sprintf("a support set of %d cannot be drawn", support), Err: err,
			Fix: "leave the draw out, as the benchmark does, or ask for a smaller one"}
	}
	e := data.Episode{Task: task}
	for _, label := range []uint8{0, 1} {
		n := 0
		for _, p := range s {
			if t.Labels[p] == label {
				e.Support, e.SupportLabels = append(e.Support, t.Rows[p]), append(e.SupportLabels, label)
				n++
			}
		}
		if label == 0 || n < e.Shots {
			e.Shots = n
		}
	}
	for _, p := range q {
		e.Query, e.QueryLabels = append(e.Query, t.Rows[p]), append(e.QueryLabels, t.Labels[p])
	}
	return e, nil
}
