package similarity

import (
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/ops"
)

// Legend: N support molecules of a task.

// Spec is the line of the search by similarity in the table of methods.
var Spec = model.Spec{
	Name: "similarity", Title: "Similarity",
	Source:   "similarity search by data fusion with the maximum: Willett, Drug Discovery Today 11 (2006) 1046",
	Traits:   counts.Traits,
	Settings: func(string) model.Settings { return model.NoSettings{} },
	New: func(b *model.Body, _ model.Config, _ []int) (model.Method, error) {
		return similarity{counts.Untrained{Body: b}}, nil
	},
}

// similarity is the method, which has no parameters.
type similarity struct{ counts.Untrained }

// task is a support set.
type task struct {
	similarity
	index  *counts.Index
	labels []uint8 // [N]
}

func (m similarity) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	molecules, labels := m.Support(support, s)
	return &task{m, counts.NewIndex(molecules), labels}
}

// Score gives each class its nearest molecule's Tanimoto coefficient as logit, and
// 0, as without anything in common, to a class without molecules.
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	near := make([]float64, t.index.Len())
	return t.Each(queries, s, func(v counts.Vector) (inactive, active float64) {
		t.index.Tanimoto(v, near)
		var best [2]float64 // by label
		for i, label := range t.labels {
			best[label] = max(best[label], near[i])
		}
		return best[0], best[1]
	})
}
