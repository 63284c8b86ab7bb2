package measured

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"pacia/data"
	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/metrics"
	"pacia/model"
)

// Options define what Test draws of each assay.
type Options struct {
	Seed  uint32 // of draw 0; draw k has Seed + k
	Sizes []int  // of the support sets, both classes together
	Draws int    // of each size
}

// A Number is a figure. NaN means that it was not measured, and is null in JSON.
type Number float64

// MarshalJSON writes null for a number that is not finite.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// A Result is the result for one assay and support set size, the mean over draws. ρ, R² and the
// share within intervals are over queries with an exact value, not a bound.
type Result struct {
	Task    string  `json:"task"`
	Known   float64 `json:"known"` // share of its molecules that are in training assays
	Support int     `json:"support"`
	Draws   int     `json:"draws"`

	DeltaAUPRC Number `json:"delta_auprc"`           // by values
	ByLabels   Number `json:"delta_auprc_by_labels"` // of the same model, which learnt labels
	Spearman   Number `json:"spearman"`              // of the predicted values
	LabelsRho  Number `json:"spearman_by_labels"`    // of the probabilities of the model that learnt labels
	R2         Number `json:"r2_os"`
	Within     Number `json:"within_interval"` // share of values in intervals of 80 %; NaN: no values
	Hits10     Number `json:"hits_10_within"`  // share of draws whose actives among the first 10 are within the expected interval
	Hits50     Number `json:"hits_50_within"`  // NaN: the queries are fewer than twice as many
	Hits100    Number `json:"hits_100_within"`
	Width      Number `json:"interval_width"` // median, in standard deviations of the support set's values
}

// Test tests a model on each assay and calls each with every result. It must be called from within ops.Pinned.
func Test(ctx context.Context, m *model.Model, a *Assays, o Options, each func(Result) error) error {
	limit := new(evaluate.QueryLimit)
	for at := range a.Tasks {
		for _, size := range o.Sizes {
			r := Result{Task: a.Tasks[at].Name, Known: a.Known[at], Support: size}
			var draws []Result
			one := func(_ int, ep data.Episode) error {
				found, err := measure(ctx, m, a, at, ep, limit)
				draws = append(draws, found)
				return err
			}
			drawn, err := evaluate.Draws(o.Draws, a.drawing(at, size, o.Seed), one)
			if err != nil {
				return err
			}
			if r.Draws = drawn; drawn == 0 {
				continue
			}
			for _, f := range figures {
				*f.number(&r) = meanOf(draws, f)
			}
			if err := each(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// drawing returns the function that draws support sets of a size of assay number at.
func (a *Assays) drawing(at, size int, seed uint32) func(k int) (data.Episode, error) {
	return func(k int) (data.Episode, error) {
		return data.DrawStratified(&a.Tasks[at], at, size, 0, seed+uint32(k))
	}
}

// measure returns the figures of one support set.
func measure(ctx context.Context, m *model.Model, a *Assays, at int, ep data.Episode, limit *evaluate.QueryLimit) (r Result, err error) {
	t := &a.Tasks[at]
	values := make(map[int32]data.Measured, len(t.Rows))
	for i, row := range t.Rows {
		values[row] = t.Values[i]
	}
	adapt := evaluate.AdapterOf(m)
	byValue, err := evaluate.ScoreEpisode(ctx, adapt, a.Molecules, ep, limit, false)
	if err != nil {
		return r, err
	}
	support := each.Of(ep.SupportValues, func(v data.Measured) float64 { return v.Value })
	ep.SupportValues = nil
	labelled, err := evaluate.ScoreEpisode(ctx, adapt, a.Molecules, ep, limit, false)
	if err != nil {
		return r, err
	}
	byLabels := evaluate.Order(labelled)
	within := func(n int) Number { return hitsWithin(ep.QueryLabels, byLabels, n) }
	r.Hits10, r.Hits50, r.Hits100 = within(10), within(50), within(100)
	r.DeltaAUPRC = Number(metrics.DeltaAUPRC(ep.QueryLabels, evaluate.Order(byValue)))
	r.ByLabels = Number(metrics.DeltaAUPRC(ep.QueryLabels, byLabels))
	r.compare(ep, values, support, byValue, byLabels)
	return r, nil
}

// hitsWithin returns 1 if the number of actives among the first n queries by probability is within the
// expected interval, 0 if it is not, and NaN if there are fewer than 2n queries.
func hitsWithin(labels []uint8, probability []float64, n int) Number {
	if len(labels) < 2*n {
		return Number(math.NaN())
	}
	order := each.Order[int](len(labels))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(probability[j], probability[i]) })
	found, first := 0, make([]float64, n)
	for k, i := range order[:n] {
		found, first[k] = found+int(labels[i]), probability[i]
	}
	if h := metrics.ExpectHits(first); found < h.Low || found > h.High {
		return 0
	}
	return 1
}

func (r *Result) compare(ep data.Episode, values map[int32]data.Measured, support []float64, byValue model.Scored, byLabels []float64) {
	var measured, predicted, probability, widths []float64
	within := 0.0
	for q, row := range ep.Query {
		v, p := values[row], byValue[q].Potency
		if v.Side != 0 {
			continue
		}
		measured, predicted = append(measured, v.Value), append(predicted, float64(p.Value))
		probability = append(probability, byLabels[q])
		if v.Value >= float64(p.Low) && v.Value <= float64(p.High) {
			within++
		}
		widths = append(widths, float64(p.High)-float64(p.Low))
	}
	r.Spearman, r.LabelsRho = Number(metrics.Spearman(measured, predicted)), Number(metrics.Spearman(measured, probability))
	r.R2 = Number(metrics.R2(measured, predicted, stat.Mean(support, nil)))
	r.Within, r.Width = Number(within/float64(len(measured))), Number(median(widths)/stat.PopStdDev(support, nil))
}
