package assay

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// differ reports whether molecules have measurements at several values of the column, and whether these differ by more
// than noise in most of them.
func (s *Split) differ(rows []Marked) (measured, large bool) {
	sizes := make([]Marked, len(rows))
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range rows {
		if !math.IsNaN(row.Measured) {
			low, high = min(low, row.Measured), max(high, row.Measured)
		}
	}
	logs := low > 0 && high > 100*low
	means := map[int32]map[int][]float64{} // by molecule and value
	for i, row := range rows {
		v := row.Measured
		if logs {
			v = math.Log10(v)
		}
		sizes[i] = Marked{Value: v}
		if math.IsNaN(v) {
			continue
		}
		if means[row.Molecule] == nil {
			means[row.Molecule] = map[int][]float64{}
		}
		means[row.Molecule][s.rowValue[i]] = append(means[row.Molecule][s.rowValue[i]], v)
	}
	tolerance := (high - low) / 5
	if logs {
		tolerance = toleranceOf(sizes)
	}
	all, far := 0, 0
	for _, of := range means {
		if len(of) < 2 {
			continue
		}
		least, most := math.Inf(1), math.Inf(-1)
		for _, values := range of {
			m, _, _ := Median(values)
			least, most = min(least, m), max(most, m)
		}
		if all++; most-least > tolerance {
			far++
		}
	}
	return all > 0, all > 1 && 2*far > all
}

// toleranceOf returns the difference of two values of one molecule that counts as noise: a factor of three of
// concentrations, or a fifth of the range of other values.
func toleranceOf(rows []Marked) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range rows {
		if !math.IsNaN(row.Value) {
			low, high = min(low, row.Value), max(high, row.Value)
		}
	}
	return max(0.5, (high-low)/5)
}

// order sorts the values: numbers by size, others by their counts. It finds the best one.
func (s *Split) order(rows []Marked) {
	even := make([][2]int, len(s.Values))
	for i, row := range rows {
		even[s.rowValue[i]][row.Label]++
	}
	order := make([]int, len(s.Values))
	numbers := true
	for i, v := range s.Values {
		order[i] = i
		_, err := strconv.ParseFloat(v, 64)
		numbers = numbers && (err == nil || v == "")
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if numbers {
			x, _ := strconv.ParseFloat(s.Values[a], 64)
			y, _ := strconv.ParseFloat(s.Values[b], 64)
			return cmp.Compare(x, y)
		}
		return cmp.Or(s.Counts[b]-s.Counts[a], cmp.Compare(s.Values[a], s.Values[b]))
	})
	values, counts, place, most := make([]string, len(order)), make([]int, len(order)), make([]int, len(order)), -1
	for k, i := range order {
		values[k], counts[k], place[i] = s.Values[i], s.Counts[i], k
		if n := min(even[i][0], even[i][1])*len(rows) + s.Counts[i]; n > most && s.Values[i] != "" {
			s.Best, most = s.Values[i], n
		}
	}
	for i := range s.rowValue {
		s.rowValue[i] = place[s.rowValue[i]]
	}
	s.Values, s.Counts = values, counts
}
