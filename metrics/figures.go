package metrics

import "math"

// Names of the figures that compare models, as in settings.
const (
	NameROCAUC     = "roc_auc"
	NameDeltaAUPRC = "delta_auprc" // average precision minus the share of actives
)

// Title returns the name of a figure for tables.
func Title(name string) string {
	if name == NameDeltaAUPRC {
		return "ΔAUPRC"
	}
	return "ROC-AUC"
}

// Figures holds the figures of one task.
type Figures struct {
	Task       string  `json:"task"`
	AUC        float64 `json:"auc"`
	DeltaAUPRC float64 `json:"delta_auprc"`     // average precision minus the share of actives
	Draws      int     `json:"draws,omitempty"` // number of support sets; the figures are means over these

	Adaptivity *Adaptivity `json:"adaptivity,omitempty"` // nil if not measured
}

// Of returns the figure of that name. An empty name is that of the ROC-AUC.
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

// StandardError returns the standard error, over the tasks, of the Mean of the figure of that
// name. It is 0 for one task.
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
