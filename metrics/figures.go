package metrics

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
