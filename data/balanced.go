package data

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"pacia/internal/badinput"
)

// drawTraining draws an episode of t, which is task number task of its data
// set: shots inactive and shots active molecules, and then queries of the
// task's other molecules, without replacement and whatever their labels, or
// all of them where they are fewer.
//
// A class smaller than shots is repeated: every member comes as often as every
// other, give or take once. A class without members, and a task without a
// molecule that is left to be a query, are faults.
func drawTraining(t *Task, task, shots, queries int, r *rand.Rand) (Episode, error) {
	if err := cmp.Or(checkDraw(shots, queries), t.CheckTraining()); err != nil {
		return Episode{}, err
	}
	support := slices.Concat(repeated(r, t.Class(0), shots), repeated(r, t.Class(1), shots))
	used := slices.Compact(slices.Sorted(slices.Values(support)))
	left := len(t.Rows) - len(used)
	if left == 0 {
		return Episode{}, t.fault(fmt.Sprintf("no query is left beside a support set of %d of each", shots), smaller)
	}
	query := without(r, left, min(queries, left))
	for i, q := range query {
		query[i] = skipping(q, used)
	}
	return t.episode(task, shots, support, query), nil
}

// DrawTest draws the one episode that tests a task: shots molecules of each
// class, none twice, and all others as queries, in the order of the file.
//
// A class with no more than shots members is a fault: without both classes
// among the queries there is nothing to rank.
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

// smaller is what to do where a task has too few molecules.
const smaller = "lower episode.shots, or leave the task out of data.split"

// CheckTraining returns the fault that every drawTraining of the task would
// return: a class without members.
func (t *Task) CheckTraining() error {
	if len(t.Class(0)) > 0 && len(t.Class(1)) > 0 {
		return nil
	}
	return t.fault("training takes both", "leave the task out of data.split")
}

// CheckTest returns the fault that DrawTest would return, without drawing.
func (t *Task) CheckTest(shots int) error {
	if len(t.Class(0)) > shots && len(t.Class(1)) > shots {
		return nil
	}
	return t.fault(fmt.Sprintf("a test with %d of each takes at least %d, so that both are left to be ranked", shots, shots+1), smaller)
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

// repeated returns k of the members at random: all different where there are
// enough, otherwise every member in turn, again and again.
func repeated(r *rand.Rand, members []int32, k int) []int32 {
	out := make([]int32, 0, k)
	for len(out) < k {
		for _, i := range without(r, len(members), min(k-len(out), len(members))) {
			out = append(out, members[i])
		}
	}
	return out
}

// skipping returns number n, counted from 0, of the positions that are not
// used. used is ascending, without repetition.
func skipping(n int32, used []int32) int32 {
	// As many used positions are passed as have at most n unused ones before them.
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
