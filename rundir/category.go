package rundir

import (
	"math"

	"pacia/data/fsmol/targets"
	"pacia/metrics"
)

// CategorySummary is the mean over FS-Mol's tasks of one category of targets.
type CategorySummary struct {
	Category      string  `json:"category"` // as Table 2 of the paper has them
	Tasks         int     `json:"tasks"`
	AUC           float64 `json:"auc"`
	DeltaAUPRC    float64 `json:"delta_auprc"`
	StandardError float64 `json:"delta_auprc_standard_error"` // over the tasks; 0 of one task
}

// ByCategory returns the means over tasks by category; nil where the tasks are not
// FS-Mol's.
func ByCategory(tasks []metrics.Figures) (all []CategorySummary) {
	names := make([]string, len(tasks))
	for i, t := range tasks {
		names[i] = t.Task
	}
	for _, c := range targets.Group(names) {
		n := float64(len(c.Tasks))
		s := CategorySummary{Category: c.Name, Tasks: len(c.Tasks)}
		for _, i := range c.Tasks {
			s.AUC += tasks[i].AUC / n
			s.DeltaAUPRC += tasks[i].DeltaAUPRC / n
		}
		var squares float64
		for _, i := range c.Tasks {
			d := tasks[i].DeltaAUPRC - s.DeltaAUPRC
			squares += d * d
		}
		if n > 1 {
			s.StandardError = math.Sqrt(squares / (n - 1) / n)
		}
		all = append(all, s)
	}
	return all
}
