package data

import (
	"fmt"
	"slices"

	"pacia/data/stratified"
	"pacia/internal/badinput"
)

// DrawStratified draws a support set and queries from t, which is task number
// task of its data set, both with its shares of the classes, in the very order
// of FS-Mol's benchmark. queries is the most that are drawn, 0 all others.
// Molecules need not be as many of each class: inactive ones come first, as
// models expect them, each class in the order of the draw.
//
// Where the task does not hold such a draw, the fault wraps [ErrTooSmall] and
// names the task. The benchmark leaves such a draw out.
func DrawStratified(t *Task, task, support, queries int, seed uint32) (Episode, error) {
	s, q, err := t.stratified(support, queries, seed)
	if err != nil {
		return Episode{}, &badinput.Error{Column: t.Name, What: fmt.Sprintf("a support set of %d cannot be drawn", support), Err: err,
			Fix: "leave the draw out, as the benchmark does, or ask for a smaller one"}
	}
	active := func(p int32) bool { return t.Labels[p] == 1 }
	inactives := slices.DeleteFunc(slices.Clone(s), active)
	actives := slices.DeleteFunc(s, func(p int32) bool { return !active(p) })
	return t.episode(task, min(len(inactives), len(actives)), append(inactives, actives...), q), nil
}

// stratified returns positions in t.Rows.
//
// The benchmark hands the actives to scikit-learn first, as class 0, and the
// inactives after them, as class 1: its two lists are swapped. Results can be
// compared only if this is kept.
func (t *Task) stratified(support, queries int, seed uint32) (s, q []int32, err error) {
	if err := t.checkStratified(support); err != nil {
		return nil, nil, err
	}
	actives := t.Class(1)
	order := slices.Concat(actives, t.Class(0))
	class := make([]uint8, len(order))
	for i := range order[len(actives):] {
		class[len(actives)+i] = 1
	}
	left := len(order) - support
	if queries == 0 || queries > left {
		queries = left
	}
	s, q, err = stratified.Split(class, support, queries, seed)
	if err != nil {
		return nil, nil, err
	}
	for _, part := range [][]int32{s, q} {
		for i, p := range part {
			part[i] = order[p]
		}
		if len(part) == 0 || !slices.ContainsFunc(part, func(p int32) bool { return t.Labels[p] != t.Labels[part[0]] }) {
			return nil, nil, fmt.Errorf("%w: a part of the draw has one class only", ErrTooSmall)
		}
	}
	return s, q, nil
}

// checkStratified returns why no seed draws a support set of so many: fewer than
// two queries would be left, or two molecules of each class are not there.
func (t *Task) checkStratified(support int) error {
	if n := len(t.Labels); n-support < 2 {
		return fmt.Errorf("%w: %d, a support set of %d leaves fewer than 2 queries", ErrTooSmall, n, support)
	}
	for label := range uint8(2) {
		if n := len(t.Class(label)); n < 2 {
			return fmt.Errorf("%w: a class with %d of %d", ErrTooSmall, n, len(t.Labels))
		}
	}
	return nil
}
