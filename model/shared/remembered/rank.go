package remembered

import (
	"math"
	"slices"

	"pacia/data"
)

// Legend: n molecules of a task.

// parts is the number of different ranks of training tasks.
const parts = 256

// Split splits a label of [Labels.Read] into the place of its task, whether the molecule is active there,
// and the rank of its value in the task, between 0 and 1 and larger for actives. The rank is 0 if the
// values are unknown.
func Split(label float64) (task int, on bool, rank float64) {
	whole, rank := math.Modf(math.Abs(label))
	return int(whole) - 1, label > 0, rank
}

// Ranks returns the ranks [n] of a task's values, in this number of parts from 1, or nil if fewer than half of them are
// known. Equal values have the mean of their ranks. An unknown value has the rank of its class's median.
func Ranks(t *data.Task, parts int) []uint8 {
	if len(t.Values) != len(t.Labels) {
		return nil
	}
	var known []float64
	var of [2][]float64
	for i, v := range t.Values {
		if !math.IsNaN(v.Value) {
			known, of[t.Labels[i]] = append(known, v.Value), append(of[t.Labels[i]], v.Value)
		}
	}
	if 2*len(known) < len(t.Values) || len(known) == 0 {
		return nil
	}
	var median [2]float64
	slices.Sort(known)
	for class, values := range of {
		if slices.Sort(values); len(values) == 0 {
			values = known
		}
		median[class] = values[len(values)/2]
	}
	ranks := make([]uint8, len(t.Values))
	for i, v := range t.Values {
		value := v.Value
		if math.IsNaN(value) {
			value = median[t.Labels[i]]
		}
		from, _ := slices.BinarySearch(known, value)
		to, _ := slices.BinarySearchFunc(known, value, func(x, v float64) int {
			if x > v {
				return 1
			}
			return -1
		})
		middle := float64(from+to) / 2 / float64(len(known))
		ranks[i] = uint8(min(max(math.Round(float64(parts)*middle), 1), float64(parts-1)))
	}
	return ranks
}
