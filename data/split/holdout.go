package split

import (
	"slices"

	"pacia/data"
)

// HoldOut takes n random tasks out of the training tasks of s, for validation. At least one
// task remains for training. Equal seeds take equal tasks. Both lists are ascending. Tasks
// for which fits returns false are taken only after all others; a nil fits accepts all.
func HoldOut(s data.Split, n int, seed uint64, fits func(task int) bool) (train, valid []int) {
	n = max(0, min(n, len(s.Train)-1))
	order := slices.Clone(s.Train)
	data.Rand(seed, "validation tasks", 0).Shuffle(len(order), func(i, j int) {
		order[i], order[j] = order[j], order[i]
	})
	if fits != nil {
		slices.SortStableFunc(order, func(a, b int) int { return rank(fits(a)) - rank(fits(b)) })
	}
	valid, train = order[:n:n], order[n:]
	slices.Sort(train)
	slices.Sort(valid)
	return train, valid
}

func rank(fits bool) int {
	if fits {
		return 0
	}
	return 1
}
