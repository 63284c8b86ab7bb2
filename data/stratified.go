package data

import (
	"fmt"
	"slices"

	"pacia/data/stratified"
	"pacia/internal/badinput"
)

// ErrTooSmall is wrapped by the errors of stratified draws for which a task is too
// small.
var ErrTooSmall = stratified.ErrTooSmall

// DrawStratified draws a support set and queries from t, which is task number
// task of its data set. Both have the class ratio of the task, and the draw is exactly
// that of FS-Mol's benchmark. queries is the largest number of queries; 0: all others.
// In the support set inactive molecules come first, as models expect, and each class is
// in the order of the draw. The classes may differ in size.
//
// If the task is too small for the draw, the error wraps [ErrTooSmall] and names the
// task. The benchmark leaves such a draw out.
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

// stratified returns the positions in t.Rows of the support set and of the queries.
//
// The benchmark passes the actives to scikit-learn first, as class 0, and then the
// inactives, as class 1: its two lists are swapped. The same is done here, since results
// could not be compared otherwise.
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

// checkStratified returns an error if no seed can draw a support set of this size: fewer
// than two queries would be left, or the support set takes none or all molecules of a class.
func (t *Task) checkStratified(support int) error {
	if n := len(t.Labels); n-support < 2 {
		return fmt.Errorf("%w: %d, a support set of %d leaves fewer than 2 queries", ErrTooSmall, n, support)
	}
	for label := range uint8(2) {
		if n := len(t.Class(label)); n < 2 {
			return fmt.Errorf("%w: a class with %d of %d", ErrTooSmall, n, len(t.Labels))
		}
	}
	for label := range uint8(2) {
		n := len(t.Class(label))
		least, most := stratified.Shares(n, len(t.Labels), support)
		if most == 0 || least == n {
			return fmt.Errorf("%w: a support set of %d takes %d of a class with %d of %d", ErrTooSmall, support, least, n, len(t.Labels))
		}
	}
	return nil
}
