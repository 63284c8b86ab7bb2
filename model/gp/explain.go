package gp

import (
	"math"

	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/ops"
)

// Explain splits the mean of the process, m + Σ_i α_i k_i with α = (K + σ² I)⁻¹(y − m). The log-odds
// are a nearly linear function of the mean. All parts are multiplied by one factor, so that they add
// up to the log-odds.
func (t *task) Explain(queries *model.Batch, s *ops.Scope) []model.Explanation {
	vectors := ops.Try(counts.Vectors(queries.Host, queries.Host.QueryMol)).In(s)
	alpha, _ := t.leftOut()
	near := make([]float64, len(alpha))
	all := make([]model.Explanation, len(vectors))
	for q, v := range vectors {
		mean, variance := t.at(v, near)
		spread := math.Sqrt(t.scale * (variance + t.noise))
		z := (mean + t.threshold) / spread
		e := model.Explanation{LogOdds: logNormal(z) - logNormal(-z), Support: make([]float64, len(alpha)), Bits: make([]float64, len(v.Bit))}
		factor := 2 * math.Sqrt(2/math.Pi) / spread // of the tangent at 0
		if math.Abs(z) > 1e-6 {
			factor = e.LogOdds / (mean + t.threshold)
		}
		weight := make([]float64, len(alpha))
		for i, a := range alpha {
			weight[i] = factor * a
			e.Support[i] = weight[i] * near[i]
		}
		e.Rest = factor * (t.mean + t.threshold)
		t.index.Spread(v, near, weight, e.Bits)
		all[q] = e
	}
	return all
}
