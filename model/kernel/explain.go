package kernel

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"pacia/model"
	"pacia/ops"
)

// Legend: N support molecules, Q queries, c bits of a query's fingerprint that are not 0.

// A score is Σ_i α_i k(q, i) + β_i s(q, i) plus the expectation for q in any assay, with s the similarity of
// structure alone. So each support molecule has its share. The terms with the Tanimoto coefficient T,
// b_q b_i (T + T²)/2 in k and (T + T²)/2 in s, are split among the bits of the two fingerprints in proportion
// to their part of T: the minimum of both counts, divided by Σ max.

// Explain splits the scores of queries, with or without vectors of the pretrained encoder.
func (t *task) Explain(queries *model.Batch, s *ops.Scope) []model.Explanation {
	m, _ := t.read(queries, queries.QueryMol, queries.Host.QueryMol, t.stats, s)
	all := make([]model.Explanation, len(m.counts))
	for _, room := range t.rooms(m) {
		for _, q := range room.which {
			all[q] = room.explain(room.molecules, q)
		}
	}
	return all
}

func (t *task) explain(m molecules, q int) model.Explanation {
	n := len(t.alpha)
	e := model.Explanation{
		LogOdds: t.slope()*t.score(m, q) + t.Offset + t.prior, // score also sets structure and cosines
		Support: make([]float64, n), Bits: make([]float64, len(m.counts[q].Bit)),
		Rest: t.slope()*t.bearing(m, q) + t.Offset + t.prior,
	}
	learnt, structure := t.weights(m.known[q].entries != nil)
	var parts [4]float64 // of learnt vectors, labels, fingerprints with vectors, and past assays
	for i, a := range t.alpha {
		k := [4]float64{1: t.cosines[i], 2: t.structure[i], 3: t.pasts[i]}
		for j, x := range m.units {
			d := len(x) / len(m.counts)
			k[0] += learnt * t.learntWeight[i] * dot(x[q*d:(q+1)*d], t.support.units[j][i*d:(i+1)*d]) / float64(t.Members)
		}
		for j, v := range k {
			parts[j] += t.slope() * a * v
			e.Support[i] += t.slope() * a * v
		}
		parts[2] += t.slope() * t.beta[i] * t.plain[i]
		e.Support[i] += t.slope() * t.beta[i] * t.plain[i]
	}
	near, weight := make([]float64, n), make([]float64, n)
	t.index.Tanimoto(m.counts[q], near)
	for i, c := range near {
		weight[i] = t.slope() * (t.alpha[i]*structure*t.structureWeight[i] + t.beta[i]) * (1 + c) / 2
	}
	t.index.Spread(m.counts[q], near, weight, e.Bits)
	prints := floats.Sum(e.Bits)
	e.Parts = []model.Part{{Name: "fingerprints", Share: prints}, {Name: "learnt vectors", Share: parts[0]}}
	if m.known[q].entries != nil {
		e.Parts = append(e.Parts, model.Part{Name: "labels in training assays", Share: parts[1]})
	}
	if e.Past = t.recalled(m, q); len(e.Past) > 0 {
		e.Parts = append(e.Parts, model.Part{Name: "labels in past assays", Share: parts[3]})
	} else if m.recalled(q).predicted {
		e.Parts = append(e.Parts, model.Part{Name: "predicted labels in past assays", Share: parts[3]})
	}
	e.Hits = t.slope() * t.coefficient * t.hits(m, q)
	if len(m.vectors) > 0 {
		e.Parts = append(e.Parts, model.Part{Name: "vectors of MiniMol", Share: parts[2] - prints})
	}
	for _, label := range m.known[q].entries {
		e.Known = append(e.Known, model.KnownLabel{Task: label.task, Active: label.active()})
	}
	return e
}

// mostPast is the number of past assays that an explanation lists.
const mostPast = 10

// recalled splits the term of past assays in the score of molecule q of m among these.
func (t *task) recalled(m molecules, q int) (all []model.PastLabel) {
	if m.recalled(q).predicted {
		return nil
	}
	for _, e := range t.past.weigh(m.recalled(q)) {
		share := 0.0
		for i, a := range t.alpha {
			share += a * float64(t.past.values[int(e.task)*t.past.n+i])
		}
		all = append(all, model.PastLabel{Assay: int(e.task), Active: e.active(), Share: t.slope() * t.past.weight * float64(e.value) * share})
	}
	slices.SortStableFunc(all, func(a, b model.PastLabel) int { return cmp.Compare(math.Abs(b.Share), math.Abs(a.Share)) })
	return all[:min(len(all), mostPast)]
}
