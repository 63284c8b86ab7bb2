package pacia

import (
	"math"
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/model/shared/means"
	"pacia/ops"
)

// Legend: B tasks, N support molecules of a task, Q queries, d' width of a molecule's vector.

// beside compares a query with the support set without the relation graph, and adds to its logits, which begin at 0. The
// angles to class means read a taught encoder from the first step, where the graph has yet to learn what a label is.
// Fingerprints see of a new molecule what no encoder has learnt.
type beside struct {
	body     *model.Body
	means    means.Means
	tanimoto *ts.Tensor // [1] factor of the class means of Tanimoto coefficients, or nil
	// expected [2, d'] are vectors of what is inactive and active in any task, or nil. Equal at first, they say nothing.
	expected *ts.Tensor
}

// factorOfTanimoto is its initial value: similarities to the two classes differ by less than angles do.
const factorOfTanimoto = 10

func newBeside(body *model.Body, setting string) *beside {
	if setting == besideNone {
		return nil
	}
	b := &beside{body: body, means: means.Angles(body.Set)}
	if setting == besideExpected {
		d := body.Readout.Width()
		b.expected = body.Set.Filled("beside.expected", func(i int) float64 { return 1 / math.Sqrt(float64(d)) }, 2, int64(d))
	}
	if setting == besideTanimoto {
		b.tanimoto = body.Set.Constant("beside.tanimoto", factorOfTanimoto, 1)
	}
	return b
}

// A reference compares queries with the support sets of their tasks.
type reference struct {
	*beside
	support *model.Batch
	vectors *ts.Tensor      // [B·N, d'] of the support molecules
	labels  []uint8         // [B·N]
	indices []*counts.Index // [B] of the support sets' fingerprints; nil: they are not compared
}

// of returns what compares queries with the support sets of a batch, or nil for a nil b.
func (b *beside) of(support *model.Batch, vectors *ts.Tensor, s *ops.Scope) *reference {
	if b == nil {
		return nil
	}
	h := support.Host
	r := &reference{beside: b, support: support, vectors: vectors, labels: slices.Clone(h.SupportLabel)}
	if b.tanimoto == nil {
		return r
	}
	for set := range slices.Chunk(ops.Try(counts.Vectors(h, h.SupportMol)).In(s), h.Support) {
		r.indices = append(r.indices, counts.NewIndex(set))
	}
	return r
}

// logits returns what is added to the logits of queries with the vectors x [Q, d']: [Q, 1, 2], or nil for a nil r.
func (r *reference) logits(queries *model.Batch, x *ts.Tensor, s *ops.Scope) *ts.Tensor {
	if r == nil {
		return nil
	}
	logits := r.means.Logits(r.support, r.vectors, queries, x, s)
	if r.expected != nil {
		d := r.body.Set.Device
		labels, tasks := s.Keep(ops.Vector([]uint8{0, 1}, d)), s.Keep(ops.Vector(make([]int32, len(queries.Host.QueryMol)), d))
		logits = plus(logits, s.Keep(ops.Distances(x, r.expected, labels, tasks, r.means.Factor(), 2)), s)
	}
	if r.tanimoto == nil {
		return logits
	}
	near := r.body.Placed(r.alike(ops.Try(counts.Vectors(queries.Host, queries.Host.QueryMol)).In(s), queries.Host.QueryTask), s)
	return plus(logits, s.Call("product", func() (*ts.Tensor, error) { return near.Mul(r.tanimoto, false) }), s)
}

// alike returns, for each query, the means of its Tanimoto coefficients with the inactive and with the active
// molecules of its support set: [Q, 2]. A class without a molecule has 0.
func (r *reference) alike(queries []counts.Vector, tasks []int32) []float64 {
	both := make([]float64, 2*len(queries))
	for q, v := range queries {
		index := r.indices[tasks[q]]
		near, first := make([]float64, index.Len()), int(tasks[q])*index.Len()
		index.Tanimoto(v, near)
		var members [2]float64
		for i, t := range near {
			label := r.labels[first+i]
			both[2*q+int(label)] += t
			members[label]++
		}
		for label, n := range members {
			both[2*q+label] /= max(1, n)
		}
	}
	return both
}

// plus returns the sum of logits [Q, L, 2] and those beside them [Q, 1, 2], or the logits alone.
func plus(logits, beside *ts.Tensor, s *ops.Scope) *ts.Tensor {
	if beside == nil {
		return logits
	}
	return s.Call("sum", func() (*ts.Tensor, error) { return logits.Add(beside, false) })
}
