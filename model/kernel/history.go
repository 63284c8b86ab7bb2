package kernel

import (
	"math"
	"slices"

	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/model/shared/remembered"
)

// Legend: n molecules of past assays, A past assays, N support molecules.

// A user's past assays count like training tasks: the kernel of two molecules has a further term, the cosine of their labels
// there, and the expectation for a molecule a further one, the mean of its labels there. In the cosine an assay a has the
// weight π_a = exp(agreement · max(0, r_a)), with
//
//	r_a = √(n_a / (n_a + 4)) · Σ_i y_i z_ia / √((Σ_i z_ia² + τ)(Σ_i y_i² + τ))
//
// over the n_a support molecules that were measured in it, with scaled labels z and targets y: assays that divide the support
// set as its labels do count more. The constants were chosen on 60 assays of ToxCast with 497 others as their past
// (docs/history.md).
const (
	pastWeight   = 6.0
	expectedPast = 0.75
	agreement    = 3.0
	τ            = 0.3
	pastSlope    = 0.65 // of scores to log-odds, beside the slope without past assays, so that probabilities hold
)

// history holds labels of molecules in past assays. Nil has none.
type history struct {
	rows     *table
	tasks    int  // A
	specific bool // the mean of a molecule's labels does not count
}

// Recall returns the method with past assays.
func (k *kernel) Recall(past model.History) (model.Method, error) {
	all, assays, err := remembered.GatherPast(past.Files)
	if err != nil {
		return nil, err
	}
	recalled := *k
	recalled.past = &history{tableOf(all, assays), assays, past.Specific}
	return &recalled, nil
}

// tableOf returns the table of labels in the order of their keys, of tasks.
func tableOf(all []remembered.Label, tasks int) *table {
	of, actives := make([]sums, tasks), make([]float64, tasks)
	for _, l := range all {
		_, value := valueOf(l.Stored())
		of[l.Task].add(value)
		actives[l.Task] += float64(l.On)
	}
	scales := make([]scale, tasks)
	for t, s := range of {
		scales[t] = s.scale(actives[t] / math.Max(1, s[0]))
	}
	rows := &table{ends: []int32{0}}
	var labels []float64
	for i, l := range all {
		labels = append(labels, l.Stored())
		if i+1 == len(all) || all[i+1].Key != l.Key {
			rows.add(l.Key, labels, scales)
			labels = labels[:0]
		}
	}
	return rows
}

// slope is the factor from a score to its log-odds.
func (t *task) slope() float64 {
	if len(t.past.roots) > 0 {
		return pastSlope * t.Slope
	}
	return t.Slope
}

// recalled returns the labels of molecule i in past assays.
func (m *molecules) recalled(i int) row {
	if m.past == nil {
		return row{}
	}
	return m.past[i]
}

func (h *history) of(v counts.Vector) row {
	r := h.rows.of(v)
	if h.specific {
		r.mean = 0
	}
	return r
}

// recollection holds the labels of support molecules in past assays, weighted by π. The zero value has none.
type recollection struct {
	profile           // √π_a e_ia of length at most 1: [A, N]
	roots   []float64 // √π_a [A]
}

// recollect returns the recollection of support molecules with targets [N].
func (h *history) recollect(past []row, targets []float64) recollection {
	if h == nil || !slices.ContainsFunc(past, row.measured) {
		return recollection{}
	}
	of := make([]struct{ n, product, labels, targets float64 }, h.tasks)
	for i, r := range past {
		length := r.length()
		for _, e := range r.entries {
			a, z := &of[e.task], float64(e.value)*length
			a.n++
			a.product += targets[i] * z
			a.labels += z * z
			a.targets += targets[i] * targets[i]
		}
	}
	c := recollection{roots: make([]float64, h.tasks)}
	for i, a := range of {
		r := math.Sqrt(a.n/(a.n+4)) * a.product / math.Sqrt((a.labels+τ)*(a.targets+τ))
		c.roots[i] = math.Exp(agreement * max(0, r) / 2)
	}
	weighted := make([]row, len(past))
	for i, r := range past {
		weighted[i] = c.weighted(r)
	}
	c.profile = profileOf(weighted, h.tasks)
	return c
}

// term sets into [N] to the term of past assays in the kernel of a molecule and each support molecule.
func (c *recollection) term(r row, into []float64) {
	clear(into)
	c.cosines(c.weighted(r).entries, pastWeight, into)
}

// weighted returns a row whose entries are weighted by √π.
func (c *recollection) weighted(r row) row {
	if len(c.roots) == 0 || !r.measured() {
		return row{}
	}
	squares := few / (r.length() * r.length())
	for _, e := range r.entries {
		value := c.roots[e.task] * float64(e.value)
		squares += value * value
	}
	entries := make([]entry, len(r.entries))
	for i, e := range r.entries {
		e.value = float32(c.roots[e.task] * float64(e.value) / math.Sqrt(squares))
		entries[i] = e
	}
	return row{entries: entries, mean: r.mean}
}

// measured reports whether the row has labels.
func (r row) measured() bool { return r.entries != nil }

// length returns the number by which the scaled labels of the row were divided.
func (r row) length() float64 {
	rest := 1.0
	for _, e := range r.entries {
		rest -= float64(e.value) * float64(e.value)
	}
	return math.Sqrt(few / math.Max(rest, 1e-6))
}
