package kernel

import (
	"math"
	"slices"

	"pacia/internal/each"
	"pacia/model/shared/past"
	"pacia/model/shared/taught"
	"pacia/ops"
)

// Legend: m molecules, A past assays.

// A molecule that no past assay measured has labels in all of them that a network predicts from its vector, if past assays taught
// one. Their cosine with those of other molecules has half the weight, and their mean 4/3 of it. Both constants were chosen on
// 46 assays of ToxCast (docs/lab/teach.md).
const (
	predictedLength = 0.7071 // √0.5, at most
	predictedMean   = 4. / 3
)

// networksOf returns the networks of parts; nil if none has one.
func networksOf(parts []past.Part) []*taught.Network {
	all := each.Of(parts, func(p past.Part) *taught.Network {
		n, err := taught.Parse(p.Taught, len(p.Assays))
		if err != nil {
			return nil // the memory has none, or one of a forged file: the checksum of files tells of damage
		}
		return n
	})
	if !slices.ContainsFunc(all, func(n *taught.Network) bool { return n != nil }) {
		return nil
	}
	return all
}

// rows returns the labels of molecules [m] in past assays, scaled: measured ones, or predicted ones where a molecule has none.
// It is nil without past assays.
func (h *history) rows(m molecules, s *ops.Scope) []row {
	if h == nil {
		return nil
	}
	rows := h.measured(m.counts)
	if h.taught == nil || len(m.vectors) == 0 {
		return rows
	}
	var unmeasured []int
	var vectors []float32
	for i, r := range rows {
		if v := m.vector(i); !r.has() && !math.IsNaN(float64(v[0])) {
			unmeasured, vectors = append(unmeasured, i), append(vectors, v...)
		}
	}
	if len(unmeasured) == 0 {
		return rows
	}
	for part, network := range h.taught {
		if network != nil && network.Width()*len(unmeasured) == len(vectors) {
			ranks := network.Predict(vectors, s)
			for k, i := range unmeasured {
				h.predict(&rows[i], ranks[k*network.Assays():(k+1)*network.Assays()], h.Parts[part].Numbers)
			}
		}
	}
	return rows
}

// predict adds ranks, between 0 and 1, in assays with these numbers (−1: it does not count) to a row.
func (h *history) predict(r *row, ranks []float32, numbers []int32) {
	r.predicted = true
	r.entries = slices.Grow(r.entries, len(ranks))
	for a, rank := range ranks {
		if number := numbers[a]; number >= 0 {
			scale := h.scales[number]
			value := ((1+float64(rank)*(past.Parts-2))/past.Parts - scale.mean) * scale.inverse
			r.entries = append(r.entries, entry{task: number, value: float32(value)})
		}
	}
	if len(r.entries) == 0 {
		*r = row{} // none of the assays that were taught counts
		return
	}
	if h.Specific {
		return
	}
	sum := 0.0
	for _, e := range r.entries {
		sum += float64(e.value)
	}
	r.mean = predictedMean * sum / float64(len(r.entries)+enough)
}

// withoutVectors returns the molecules without vectors of the pretrained encoder, and without labels that were predicted from these.
func (m molecules) withoutVectors() molecules {
	m.vectors, m.past = nil, slices.Clone(m.past)
	for i, r := range m.past {
		if r.predicted {
			m.past[i] = row{}
		}
	}
	return m
}
