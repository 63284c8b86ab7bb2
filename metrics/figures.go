package metrics

import "math"

// Names of the figures by which models are compared, as settings have them.
const (
	NameROCAUC     = "roc_auc"
	NameDeltaAUPRC = "delta_auprc" // average precision less the share of actives
)

// Title returns the name of a figure for people.
func Title(name string) string {
	if name == NameDeltaAUPRC {
		return "ΔAUPRC"
	}
	return "ROC-AUC"
}

// Figures are those of one task.
type Figures struct {
	Task       string  `json:"task"`
	AUC        float64 `json:"auc"`
	DeltaAUPRC float64 `json:"delta_auprc"`     // average precision less the share of actives
	Draws      int     `json:"draws,omitempty"` // support sets that the figures are means over

	Adaptivity *Adaptivity `json:"adaptivity,omitempty"` // nil: not measured
}

// Of returns the figure of that name; without a name, the ROC-AUC.
func (f Figures) Of(name string) float64 {
	if name == NameDeltaAUPRC {
		return f.DeltaAUPRC
	}
	return f.AUC
}

// Mean returns the mean over tasks of the figure of that name.
func Mean(tasks []Figures, name string) float64 {
	var sum float64
	for _, t := range tasks {
		sum += t.Of(name)
	}
	return sum / float64(len(tasks))
}

// StandardError is that of the Mean of the tasks' figures of that name, over the tasks; 0
// of one task.
func StandardError(tasks []Figures, name string) float64 {
	n, mean, squares := float64(len(tasks)), Mean(tasks, name), 0.0
	for _, t := range tasks {
		d := t.Of(name) - mean
		squares += d * d
	}
	if n < 2 {
		return 0
	}
	return math.Sqrt(squares / (n - 1) / n)
}
