package study

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Separation measures how well embeddings separate active from inactive queries, by
// Euclidean distances.
type Separation struct {
	Silhouette float64 `json:"silhouette"` // of the classes, -1 to 1; 0 if they overlap completely
	Neighbours float64 `json:"neighbours"` // balanced accuracy of the vote of the 5 nearest other queries; 1/2 by chance
}

// neighbours is the number of nearest queries that vote.
const neighbours = 5

// SeparationNote explains the numbers of a Separation.
const SeparationNote = "Below each: how well the queries' embeddings, not their places in the plane, separate the classes, by Euclidean distance: the silhouette (Rousseeuw 1987), " +
	"0 where they lie among each other, and the balanced accuracy of the 5 nearest other queries, 50 % by chance."

// String formats both numbers; it is empty for nil.
func (s *Separation) String() string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("silhouette %.2f, nearest neighbours %.0f %%", s.Silhouette, 100*s.Neighbours)
}

// separation measures the rows of x, [n, d], of two classes. It returns nil if a class has
// fewer than two rows. The silhouette of a row is (b − a) / max(a, b), with its
// mean distances a to the others of its class and b to the other class; the silhouette of all is
// their mean.
func separation(x *mat.Dense, active []bool) *Separation {
	s := &Separation{}
	n := len(active)
	count := [2]int{}
	for _, a := range active {
		count[class(a)]++
	}
	if min(count[0], count[1]) < 2 {
		return nil
	}
	right := [2]float64{}
	for i := range n {
		distance, order, sum := make([]float64, n), make([]int, 0, n), [2]float64{}
		for j := range n {
			if j != i {
				distance[j] = floats.Distance(x.RawRowView(i), x.RawRowView(j), 2)
				sum[class(active[j])] += distance[j]
				order = append(order, j)
			}
		}
		own := class(active[i])
		a, b := sum[own]/float64(count[own]-1), sum[1-own]/float64(count[1-own])
		if m := max(a, b); m > 0 {
			s.Silhouette += (b - a) / m / float64(n)
		}
		slices.SortStableFunc(order, func(j, k int) int { return cmp.Compare(distance[j], distance[k]) })
		votes := [2]int{}
		for _, j := range order[:min(neighbours, len(order)-1+len(order)%2)] { // an odd number
			votes[class(active[j])]++
		}
		if votes[own] > votes[1-own] {
			right[own]++
		}
	}
	s.Neighbours = (right[0]/float64(count[0]) + right[1]/float64(count[1])) / 2
	return s
}

func class(active bool) int {
	if active {
		return 1
	}
	return 0
}
