package measured

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"pacia/metrics"
)

// figure is one number of a result.
type figure struct {
	Name   string
	number func(*Result) *Number
}

// figures lists all figures.
var figures = []figure{
	{"ΔAUPRC", func(r *Result) *Number { return &r.DeltaAUPRC }},
	{"by labels", func(r *Result) *Number { return &r.ByLabels }},
	{"ρ", func(r *Result) *Number { return &r.Spearman }},
	{"ρ by labels", func(r *Result) *Number { return &r.LabelsRho }},
	{"R²", func(r *Result) *Number { return &r.R2 }},
	{"within", func(r *Result) *Number { return &r.Within }},
	{"hits 10", func(r *Result) *Number { return &r.Hits10 }},
	{"hits 50", func(r *Result) *Number { return &r.Hits50 }},
	{"hits 100", func(r *Result) *Number { return &r.Hits100 }},
	{"width", func(r *Result) *Number { return &r.Width }},
}

// Summary is the mean over the assays of a group.
type Summary struct {
	Group  string `json:"group"`
	Tasks  int    `json:"tasks"`
	Result        // means over the tasks

	Gain          float64 `json:"gain"`                // ΔAUPRC by values minus by labels
	StandardError float64 `json:"gain_standard_error"` // over the tasks
}

// groups divide assays by the share of their molecules that are in training assays.
var groups = []struct {
	name string
	has  func(known float64) bool
}{
	{"all", func(float64) bool { return true }},
	{"new", func(known float64) bool { return metrics.KnownGroup(known) == metrics.NewMolecules }},
	{"some", func(known float64) bool { return metrics.KnownGroup(known) == metrics.SomeKnown }},
	{"known", func(known float64) bool { return metrics.KnownGroup(known) == metrics.KnownMolecules }},
}

// Summarise returns the means of results with support sets of the given size, for each group of
// assays that has results.
func Summarise(all []Result, size int) (found []Summary) {
	for _, g := range groups {
		var own []Result
		var gains []float64
		for _, r := range all {
			if r.Support == size && g.has(r.Known) {
				own, gains = append(own, r), append(gains, float64(r.DeltaAUPRC-r.ByLabels))
			}
		}
		if len(own) == 0 {
			continue
		}
		s := Summary{Group: g.name, Tasks: len(own), Result: Result{Support: size}}
		for _, r := range own {
			s.Known, s.Draws = s.Known+r.Known/float64(len(own)), s.Draws+r.Draws
		}
		for _, f := range figures {
			*f.number(&s.Result) = meanOf(own, f)
		}
		var deviation float64
		if s.Gain, deviation = stat.MeanStdDev(gains, nil); len(gains) > 1 {
			s.StandardError = deviation / math.Sqrt(float64(len(gains)))
		}
		found = append(found, s)
	}
	return found
}

// meanOf returns the mean of a figure over the results that have it, NaN if none has.
func meanOf(all []Result, f figure) Number {
	var values []float64
	for i := range all {
		if v := float64(*f.number(&all[i])); !math.IsNaN(v) && !math.IsInf(v, 0) {
			values = append(values, v)
		}
	}
	return Number(stat.Mean(values, nil))
}

// median returns the median of values, 0 without values.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
