package model

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/internal/each"
	"pacia/ops"
)

// Legend: n molecules, D descriptors, K knots, F counts of a fingerprint.

// knots is K, the number of values of training molecules that a descriptor is ranked among.
const knots = 256

// ranks maps each descriptor x to its rank among the values of the training molecules, so
// that inputs are on one scale although descriptors range from 10⁻³ to 10³⁰:
//
//	r = (#{knots < x} + #{knots ≤ x}) / K − 1, from −1 to 1
//
// This is 2F − 1, with F the empirical distribution function of the knots at the middle
// of its jumps. The mean over the knots is 0 even if some are equal, and the count of a
// fragment that few molecules have is near 0 in all others. The knots of a descriptor are
// the training molecules' finite values of ranks (k + ½)/K. A value that is not finite has
// r = 0.
type ranks struct {
	sorted  *ts.Tensor // [D·K], ascending in each descriptor
	brought bool       // the knots came with pretrained weights that depend on them
	reading sync.Mutex // for tasks that adapt side by side
	knots   []float32  // [D, K] copy of kept in Go's memory, made with the first batch
}

// newRanks allocates the knots. They are part of an encoder that reads fingerprints alone, so
// that model.pretrained also loads them, or of the readout that joins fingerprints to graphs.
func newRanks(p *params.Set, c Config) *ranks {
	part := "encoder"
	if e, _ := c.EncoderSpec(); e.Reads != gnn.Fingerprints {
		part = "readout"
	}
	return &ranks{
		sorted:  p.Buffer(part+".descriptors.knots", 0, molecule.DescriptorCount*knots),
		brought: part == "encoder" && c.Pretrained != "",
	}
}

// KeepDescriptors makes [Model.Remember] keep the quantiles of descriptors, because they were
// loaded with the weights that depend on them.
func (m *Model) KeepDescriptors() {
	if m.ranks != nil {
		m.ranks.brought = true
	}
}

// learn takes the knots from the molecules of these tasks, each once.
func (r *ranks) learn(d *data.Dataset, tasks []int) error {
	all, ok := molecule.FloatsOf(d.Store, molecule.Descriptors)
	if !ok {
		return fmt.Errorf("model.descriptors: the %d molecules of %s come without descriptors", d.Store.Len(), d.Name)
	}
	used := make([]bool, d.Store.Len())
	for _, t := range tasks {
		for _, row := range d.Tasks[t].Rows {
			used[row] = true
		}
	}
	values := make([]float64, 0, molecule.DescriptorCount*knots)
	column := make([]float32, 0, len(used))
	for k := range molecule.DescriptorCount {
		column = column[:0]
		for row, ok := range used {
			if x := all[row*molecule.DescriptorCount+k]; ok && isFinite(x) {
				column = append(column, x)
			}
		}
		values = appendKnots(values, column)
	}
	r.reading.Lock()
	defer r.reading.Unlock()
	r.knots = nil
	if err := ops.Write(r.sorted, values); err != nil {
		return fmt.Errorf("model.descriptors: %w", err)
	}
	return nil
}

// appendKnots appends the K knots of a descriptor's values, or zeros if there are no values.
// It sorts values.
func appendKnots(to []float64, values []float32) []float64 {
	slices.Sort(values)
	for k := range knots {
		x := 0.
		if len(values) > 0 {
			x = float64(values[(2*k+1)*len(values)/(2*knots)])
		}
		to = append(to, x)
	}
	return to
}

func isFinite(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }

// read returns the knots.
func (r *ranks) read() ([]float32, error) {
	r.reading.Lock()
	defer r.reading.Unlock()
	if r.knots == nil {
		values, err := ops.ReadAs[float64](r.sorted)
		if err != nil {
			return nil, fmt.Errorf("model.descriptors: %w", err)
		}
		single := each.As[float32](values)
		r.knots = single
	}
	return r.knots, nil
}

// rank returns r of a value among ascending knots.
func rank(knots []float32, x float32) float32 {
	if !isFinite(x) {
		return 0
	}
	below, _ := slices.BinarySearch(knots, x)
	upTo, _ := slices.BinarySearchFunc(knots, x, func(knot, x float32) int {
		if knot <= x {
			return -1
		}
		return 1
	})
	return float32(below+upTo)/float32(len(knots)) - 1
}

// join appends the ranks of descriptors [n, D] to the log counts of each molecule, as
// entries F to F+D−1. Ranks of 0 have no entry.
func (r *ranks) join(c ops.Counts, descriptors []float32) (ops.Counts, error) {
	all, err := r.read()
	if err != nil {
		return c, err
	}
	n := len(c.Ptr) - 1
	size := len(c.Bit) + len(descriptors)
	j := ops.Counts{Ptr: make([]int32, 1, n+1), Bit: make([]uint16, 0, size), Value: make([]float32, 0, size), Group: c.Group}
	for m := range n {
		for i := c.Ptr[m]; i < c.Ptr[m+1]; i++ {
			j.Bit, j.Value = append(j.Bit, c.Bit[i]), append(j.Value, ops.LogCount(c.Count[i]))
		}
		for k, x := range descriptors[m*molecule.DescriptorCount : (m+1)*molecule.DescriptorCount] {
			if v := rank(all[k*knots:(k+1)*knots], x); v != 0 {
				j.Bit, j.Value = append(j.Bit, uint16(molecule.FingerprintLength+k)), append(j.Value, v)
			}
		}
		j.Ptr = append(j.Ptr, int32(len(j.Bit)))
	}
	return j, nil
}
