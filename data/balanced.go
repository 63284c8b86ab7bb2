package data

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"pacia/internal/badinput"
)

// drawTraining draws an episode of t, which is task number task of its data
// set: shots inactive and shots active molecules as support, and the given number
// of queries from the task's other molecules, without replacement and regardless
// of their labels. If fewer molecules are left, all of them are queries.
//
// A class smaller than shots is repeated; the numbers of times that its members are
// drawn differ by at most one. It is an error if a class has no members or if no
// molecule is left as a query.
func drawTraining(t *Task, task, shots, queries int, r *rand.Rand) (Episode, error) {
	if err := cmp.Or(checkDraw(shots, queries), t.CheckTraining(shots)); err != nil {
		return Episode{}, err
	}
	support := slices.Concat(repeated(r, t.Class(0), shots), repeated(r, t.Class(1), shots))
	used := slices.Compact(slices.Sorted(slices.Values(support)))
	left := len(t.Rows) - len(used)
	query := without(r, left, min(queries, left))
	for i, q := range query {
		query[i] = skipping(q, used)
	}
	return t.episode(task, shots, support, query), nil
}

// DrawTest draws the episode that tests a task: shots different molecules of each
// class, and all others as queries, in the order of the file.
//
// Each class must have more than shots members, because queries of a single class
// cannot be ranked. Otherwise DrawTest returns an error.
func DrawTest(t *Task, task, shots int, r *rand.Rand) (Episode, error) {
	if err := cmp.Or(checkDraw(shots, 1), t.CheckTest(shots)); err != nil {
		return Episode{}, err
	}
	support := slices.Concat(repeated(r, t.Class(0), shots), repeated(r, t.Class(1), shots))
	used := slices.Sorted(slices.Values(support))
	query := make([]int32, len(t.Rows)-len(used))
	for i := range query {
		query[i] = skipping(int32(i), used)
	}
	return t.episode(task, shots, support, query), nil
}

// smaller is the advice for a task with too few molecules.
const smaller = "lower episode.shots, or leave the task out of data.split"

// CheckTraining returns an error if a class of the task has no members, or if support sets take
// all members of both. Every drawTraining of the task would return it.
func (t *Task) CheckTraining(shots int) error {
	switch inactive, active := len(t.Class(0)), len(t.Class(1)); {
	case inactive == 0 || active == 0:
		return t.fault("training needs both", "leave the task out of data.split")
	case inactive <= shots && active <= shots:
		return t.fault(fmt.Sprintf("no query is left beside a support set of %d of each", shots), smaller)
	}
	return nil
}

// CheckTest returns the error that DrawTest would return, without drawing.
func (t *Task) CheckTest(shots int) error {
	if len(t.Class(0)) > shots && len(t.Class(1)) > shots {
		return nil
	}
	return t.fault(fmt.Sprintf("a test with %d of each needs at least %d, so that both are among the queries", shots, shots+1), smaller)
}

func checkDraw(shots, queries int) error {
	switch {
	case shots < 1:
		return badinput.Newf("episode.shots is %d; write 1 or more", shots)
	case queries < 1:
		return badinput.Newf("episode.queries is %d; write 1 or more", queries)
	}
	return nil
}

// repeated returns k random members. They are all different if there are at least
// k; otherwise all members are drawn in turn until there are k.
func repeated(r *rand.Rand, members []int32, k int) []int32 {
	out := make([]int32, 0, k)
	for len(out) < k {
		for _, i := range without(r, len(members), min(k-len(out), len(members))) {
			out = append(out, members[i])
		}
	}
	return out
}

// skipping returns the n-th position, counted from 0, that is not in used. used is
// ascending, without repetition.
func skipping(n int32, used []int32) int32 {
	// Binary search for the number of used positions that precede the result.
	lo, hi := 0, len(used)
	for lo < hi {
		mid := (lo + hi) / 2
		if used[mid]-int32(mid) <= n {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return n + int32(lo)
}
