package stratified

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pacia/internal/each"
)

// ErrTooSmall is wrapped by all errors of Split: two parts of the given sizes cannot be
// drawn from the labels.
var ErrTooSmall = errors.New("too few molecules")

// Split draws train and test different molecules from 0..len(labels)−1. first [train] and
// second [test] are in random order. The result depends only on the arguments, and is that
// of scikit-learn with
//
//	StratifiedShuffleSplit(n_splits=1, train_size=train, test_size=test, random_state=seed)
//
// Every class must have at least two members, and the size of each part must be at least the
// number of classes. A part may still lack a rare class.
func Split(labels []uint8, train, test int, seed uint32) (first, second []int32, err error) {
	classes := classesOf(labels)
	if err := check(len(labels), classes, train, test); err != nil {
		return nil, nil, err
	}
	sizes := each.Of(classes, func(class []int32) int { return len(class) })
	r := newRandomState(seed)
	firstSizes := share(sizes, train, r)
	for i, n := range firstSizes {
		sizes[i] -= n
	}
	secondSizes := share(sizes, test, r)
	for i, class := range classes {
		r.shuffle(class)
		n, m := firstSizes[i], secondSizes[i]
		first = append(first, class[:n]...)
		second = append(second, class[n:n+m]...)
	}
	r.shuffle(first)
	r.shuffle(second)
	return first, second, nil
}

// classesOf returns the ascending positions of each label that occurs, the smallest
// label first.
func classesOf(labels []uint8) [][]int32 {
	var of [math.MaxUint8 + 1][]int32
	for i, label := range labels {
		of[label] = append(of[label], int32(i))
	}
	return slices.DeleteFunc(of[:], func(class []int32) bool { return class == nil })
}

// check returns an error for arguments that scikit-learn refuses.
func check(n int, classes [][]int32, train, test int) error {
	if train+test > n {
		return fmt.Errorf("%w: %d and %d are asked for, there are %d", ErrTooSmall, train, test, n)
	}
	for _, size := range []int{train, test} {
		if size < max(1, len(classes)) {
			return fmt.Errorf("%w: a part of %d for %d classes", ErrTooSmall, size, len(classes))
		}
	}
	for _, class := range classes {
		if len(class) < 2 {
			return fmt.Errorf("%w: a class with one member of %d", ErrTooSmall, n)
		}
	}
	return nil
}

// Shares returns the least and the most members that a part of n can have of a class with size
// of total members, where there are two classes. The two differ if a draw decides.
func Shares(size, total, n int) (least, most int) {
	exact := float64(float64(size) / float64(total) * float64(n))
	floor, other := math.Floor(exact), float64(float64(total-size)/float64(total)*float64(n))
	least, most = int(floor), int(floor)
	if remainder, others := exact-floor, other-math.Floor(other); least+int(other) < n {
		if remainder >= others {
			most++
		}
		if remainder > others {
			least++
		}
	}
	return least, most
}

// share divides n in the proportions of sizes, rounded down. The rest goes to the
// largest remainders, one each. Among equal remainders a draw decides. Like
// scikit-learn, share also draws if there is nothing to decide.
func share(sizes []int, n int, r randomState) []int {
	total := 0
	for _, size := range sizes {
		total += size
	}
	shares, left := make([]int, len(sizes)), n
	remainders := make([]float64, len(sizes))
	for i, size := range sizes {
		// The conversion rounds the product, since remainders are compared for equality.
		exact := float64(float64(size) / float64(total) * float64(n))
		shares[i] = int(exact)
		remainders[i] = exact - float64(shares[i])
		left -= shares[i]
	}
	values := slices.Compact(slices.Sorted(slices.Values(remainders)))
	for _, value := range slices.Backward(values) {
		if left == 0 {
			break
		}
		var tied []int32
		for i, remainder := range remainders {
			if remainder == value {
				tied = append(tied, int32(i))
			}
		}
		for _, i := range r.choice(tied, min(len(tied), left)) {
			shares[i]++
			left--
		}
	}
	return shares
}
