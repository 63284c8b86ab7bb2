package metrics

import (
	"math"
	"slices"

	"pacia/internal/each"
)

// Names of metrics, as in settings.
const (
	NameROCAUC     = "roc_auc"
	NameDeltaAUPRC = "delta_auprc"
)

// A Metric compares the rankings of models: larger is better. [All] is the only list of metrics. Settings,
// files of runs, tables, curves and reports follow from it.
type Metric struct {
	Name   string // in settings and files
	Title  string // in tables and on axes
	About  string // in the explanation of settings; may be empty
	Suffix string // of the names of a report's figures; empty for the first metric
	// Chance is the value of random scores; values are from Low to High.
	Chance, Low, High float64
	// Measure compares scores [Q] with labels [Q]. It is NaN if a score is.
	Measure func(labels []uint8, scores []float64) float64
}

// All are the metrics. A file of a run has all of them; the first one is the default.
var All = []Metric{
	{Name: NameROCAUC, Title: "ROC-AUC", Chance: 0.5, High: 1, Measure: ROCAUC[float64]},
	{Name: NameDeltaAUPRC, Title: "ΔAUPRC", About: "the average precision minus the share of actives", Suffix: "delta",
		Low: -1, High: 1, Measure: DeltaAUPRC[float64]},
}

// Names returns the names of the metrics.
func Names() []string { return each.Of(All, func(m Metric) string { return m.Name }) }

// Named returns the metric of that name. An empty name is that of the first metric.
func Named(name string) Metric { return All[Index(name)] }

// Title returns the name of a metric for tables.
func Title(name string) string { return Named(name).Title }

// Index returns the place in [All] of the metric of that name; an empty name is that of the first.
func Index(name string) int {
	return max(0, slices.IndexFunc(All, func(m Metric) bool { return m.Name == name }))
}

// Values are those of the metrics of a ranking, or means of them, in the order of [All]. Those
// of earlier versions lack the metrics that were added since. Nil: not measured.
type Values []float64

// Measure returns the values of scores [Q].
func Measure[S Score](labels []uint8, scores []S) Values {
	wide := each.As[float64](scores)
	return each.Of(All, func(m Metric) float64 { return m.Measure(labels, wide) })
}

// Value returns the value of the metric of that name; NaN without it.
func (v Values) Value(name string) float64 { return v.at(Index(name)) }

// Find returns the value of the metric of that name; nil without it.
func (v Values) Find(name string) *float64 { return OrNil(v.Value(name)) }

// OrNil returns v, or nil for NaN, which JSON cannot express.
func OrNil(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// MarshalJSON encodes an object with a member for each metric.
func (v Values) MarshalJSON() ([]byte, error) { return MarshalMembers(object{v}) }

// UnmarshalJSON decodes the object.
func (v *Values) UnmarshalJSON(text []byte) error {
	var o object
	err := UnmarshalMembers(text, &o)
	*v = o.All
	return err
}

type object struct {
	All Values `json:"auc" further:"*"`
}

func (v Values) at(i int) float64 {
	if i < len(v) {
		return v[i]
	}
	return math.NaN()
}

// Plus returns v + f·w. Nil is 0.
func (v Values) Plus(f float64, w Values) Values {
	sum := slices.Clone(v)
	if v == nil {
		sum = make(Values, len(w))
	}
	for i := range sum {
		sum[i] += f * w.at(i)
	}
	return sum
}

// Over returns v/n.
func (v Values) Over(n float64) Values {
	if v == nil {
		return nil
	}
	return each.Of(v, func(value float64) float64 { return value / n })
}
