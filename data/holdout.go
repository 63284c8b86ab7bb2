package data

import "slices"

// HoldOut takes n tasks at random out of the training tasks, for validation.
// At least one stays for training. Equal seeds take equal tasks; both lists are
// ascending. Tasks that do not fit are taken where there are no others; nil stands
// for any task.
func (s Split) HoldOut(n int, seed uint64, fits func(task int) bool) (train, valid []int) {
	n = max(0, min(n, len(s.Train)-1))
	order := slices.Clone(s.Train)
	Rand(seed, "validation tasks", 0).Shuffle(len(order), func(i, j int) {
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
