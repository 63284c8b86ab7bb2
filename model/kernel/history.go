package kernel

import (
	"math"
	"slices"

	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/model/shared/past"
	"pacia/model/shared/remembered"
	"pacia/model/shared/taught"
)

// Legend: n molecules, A past assays, N support molecules.

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
	τ         = 0.3
	pastSlope = 0.65 // of scores to log-odds, beside the slope without past assays, so that probabilities hold
)

// history holds labels of molecules in past assays. Nil has none.
type history struct {
	model.History
	scales []scale           // [A]
	taught []*taught.Network // of each part; nil: none
}

// Recall returns the method with past assays.
func (k *kernel) Recall(h model.History) model.Method {
	recalled := *k
	recalled.past = newHistory(h)
	return &recalled
}

func newHistory(h model.History) *history {
	if h.Weights == (past.Weights{}) {
		h.Weights = past.Usual
	}
	scales := each.Of(h.Assays, func(a *past.Assay) scale {
		s := sums{float64(a.Molecules), float64(a.Ranks) / past.Parts, float64(a.Squares) / (past.Parts * past.Parts)}
		return s.scale(float64(a.Actives) / math.Max(1, s[0]))
	})
	return &history{h, scales, networksOf(h.Parts)}
}

// measured returns the labels of molecules [n] in past assays, scaled; nil without past assays.
func (h *history) measured(molecules []counts.Vector) []row {
	return h.labelled(each.Of(molecules, remembered.Key))
}

// labelled returns the labels of the molecules with these keys [n].
func (h *history) labelled(keys []uint64) []row {
	if h == nil {
		return nil
	}
	rows := make([]row, len(keys))
	var labels []past.Label
	var entries []entry
	for i, key := range keys {
		labels = labels[:0]
		for _, p := range h.Parts {
			labels = p.Append(labels, key)
		}
		first, mean := len(entries), 0.0
		for _, l := range labels {
			scale := h.scales[l.Assay]
			value := (float64(l.Rank)/past.Parts - scale.mean) * scale.inverse
			mean += value / float64(len(labels)+enough)
			votes := int32(-1)
			if l.Active {
				votes = 1
			}
			entries = append(entries, entry{l.Assay, float32(value), votes})
		}
		if len(labels) == 0 {
			continue
		}
		rows[i].entries = entries[first:len(entries):len(entries)]
		if !h.Specific {
			rows[i].mean = mean
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

// recalled returns the scaled labels of molecule i in past assays.
func (m *molecules) recalled(i int) row {
	if m.past == nil {
		return row{}
	}
	return m.past[i]
}

// recollection holds the labels of support molecules in past assays, weighted by π. The zero value has none.
type recollection struct {
	profile            // √π_a e_ia of length at most 1: [A, N]
	roots    []float64 // √π_a [A]
	weight   float64   // of the cosine in the kernel
	weighted []entry   // a buffer for one molecule
}

// recollect returns the recollection of support molecules with targets [N].
func (h *history) recollect(rows []row, targets []float64) recollection {
	if h == nil || !slices.ContainsFunc(rows, row.has) {
		return recollection{}
	}
	of := make([]struct{ n, product, labels, targets float64 }, len(h.scales))
	for i, r := range rows {
		for _, e := range r.entries {
			a, z := &of[e.task], float64(e.value)
			a.n++
			a.product += targets[i] * z
			a.labels += z * z
			a.targets += targets[i] * targets[i]
		}
	}
	c := recollection{roots: make([]float64, len(of)), weight: h.Weights.Profile}
	for i, a := range of {
		r := math.Sqrt(a.n/(a.n+4)) * a.product / math.Sqrt((a.labels+τ)*(a.targets+τ))
		c.roots[i] = math.Exp(h.Weights.Agreement * max(0, r) / 2)
	}
	c.profile = profileOf(each.Of(rows, func(r row) row { return row{entries: slices.Clone(c.weigh(r))} }), len(of))
	return c
}

// term sets into [N] to the term of past assays in the kernel of a molecule and each support molecule.
func (c *recollection) term(r row, into []float64) {
	clear(into)
	c.cosines(c.weigh(r), c.weight, into)
}

// self returns the term of past assays in the kernel of a molecule and itself. That of a measured molecule does not depend on its
// number of labels.
func (c *recollection) self(r row) (sum float64) {
	if r.measured() && c.roots != nil {
		return c.weight
	}
	for _, e := range c.weigh(r) {
		sum += c.weight * float64(e.value) * float64(e.value)
	}
	return sum
}

// weigh returns the labels of a molecule, weighted by √π and of length at most 1, in the buffer.
func (c *recollection) weigh(r row) []entry {
	if len(c.roots) == 0 || !r.has() {
		return nil
	}
	squares := few
	c.weighted = c.weighted[:0]
	for _, e := range r.entries {
		value := c.roots[e.task] * float64(e.value)
		squares += value * value
		e.value = float32(value)
		c.weighted = append(c.weighted, e)
	}
	inverse := float32(1 / math.Sqrt(squares))
	if r.predicted {
		inverse *= predictedLength
	}
	for i := range c.weighted {
		c.weighted[i].value *= inverse
	}
	return c.weighted
}

// has reports whether the row has labels, measured or predicted ones.
func (r row) has() bool { return r.entries != nil }

// measured reports whether the row has labels that were measured.
func (r row) measured() bool { return r.has() && !r.predicted }
