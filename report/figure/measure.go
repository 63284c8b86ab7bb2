package figure

// A Measure is what the figures of a section are.
type Measure struct {
	Name   string // on axes, before which stands what it was measured on
	Chance float64
	Zero   bool // differences from chance: bars begin at zero
}

// The measures of runs.
var (
	ROCAUC     = Measure{Name: "ROC-AUC", Chance: 0.5}
	DeltaAUPRC = Measure{Name: "ΔAUPRC", Zero: true}
)
