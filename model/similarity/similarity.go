package similarity

import (
	"math"

	"pacia/data"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/model/shared/potency"
	"pacia/ops"
)

// Legend: N support molecules of a task.

// Spec is the line of similarity search in the table of methods.
var Spec = model.Spec{
	Name: "similarity", Title: "Similarity",
	Source:   "similarity search by data fusion with the maximum: Willett, Drug Discovery Today 11 (2006) 1046",
	Traits:   traits,
	Settings: func(string) model.Settings { return model.NoSettings{} },
	New: func(b *model.Body, _ model.Config, _ []int) (model.Method, error) {
		return similarity{counts.Untrained{Body: b}}, nil
	},
}

var traits = func() model.Traits {
	t := counts.Measures
	t.Explains = true
	return t
}()

// similarity is the method, which has no parameters.
type similarity struct{ counts.Untrained }

// task is a support set.
type task struct {
	similarity
	index  *counts.Index
	labels []uint8         // [N]
	values []data.Measured // [N]; nil: labels are used
	fit    *potency.Plain  // of the values
}

func (m similarity) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	molecules, labels := m.Support(support, s)
	t := &task{similarity: m, index: counts.NewIndex(molecules), labels: labels, values: support.Host.SupportValue}
	if len(t.values) > 0 {
		missed, near := make([]float64, len(molecules)), make([]float64, len(molecules))
		for i, v := range molecules {
			t.index.Tanimoto(v, near)
			near[i] = -1
			missed[i] = math.Abs(t.values[i].Value - t.value(near))
		}
		t.fit = potency.NewPlain(t.values, labels, missed)
	}
	return t
}

// Score returns the Tanimoto coefficient of each class's nearest molecule as its logit, and 0, as
// without common bits, for a class without molecules. With values, scores depend on the values of
// the nearest molecules.
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	near := make([]float64, t.index.Len())
	var values []float64
	scores := t.Each(queries, s, func(v counts.Vector) (inactive, active float64) {
		best := t.nearest(v, near)
		if t.fit != nil {
			values = append(values, t.value(near))
			return 0, t.fit.Logit(values[len(values)-1])
		}
		return at(near, best[0]), at(near, best[1])
	})
	if t.fit != nil {
		scores.Potency = t.fit.All(values)
	}
	return scores
}

// nearest sets near [N] to the coefficients of v. It returns for each class (indexed by label) the first
// molecule with the largest coefficient, or −1 if the class has no bits in common with v.
func (t *task) nearest(v counts.Vector, near []float64) [2]int {
	t.index.Tanimoto(v, near)
	best := [2]int{-1, -1}
	for i, label := range t.labels {
		if near[i] > at(near, best[label]) {
			best[label] = i
		}
	}
	return best
}

func at(near []float64, i int) float64 {
	if i < 0 {
		return 0
	}
	return near[i]
}

// Explain returns the coefficient of each class's nearest molecule as its share, and 0 for the others.
// With values, the nearest molecules have their shares of the score.
func (t *task) Explain(queries *model.Batch, s *ops.Scope) []model.Explanation {
	vectors := ops.Try(counts.Vectors(queries.Host, queries.Host.QueryMol)).In(s)
	all := make([]model.Explanation, len(vectors))
	near := make([]float64, t.index.Len())
	for q, v := range vectors {
		e := model.Explanation{Support: make([]float64, len(near)), Bits: make([]float64, len(v.Bit))}
		weight := make([]float64, len(near))
		nearest := t.nearest(v, near)
		if t.fit != nil {
			nearest = [2]int{-1, -1}
			e.LogOdds = t.shares(near, e.Support, weight)
		}
		for label, i := range nearest {
			if i >= 0 {
				weight[i] = float64(2*label - 1)
				e.Support[i] = weight[i] * near[i]
				e.LogOdds += e.Support[i]
			}
		}
		t.index.Spread(v, near, weight, e.Bits)
		all[q] = e
	}
	return all
}
