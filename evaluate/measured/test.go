package measured

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
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
			for k := range o.Draws {
				one, err := draw(ctx, m, a, at, size, o.Seed+uint32(k), limit)
				if errors.Is(err, data.ErrTooSmall) {
					continue
				}
				if err != nil {
					return err
				}
				draws = append(draws, one)
			}
			if r.Draws = len(draws); r.Draws == 0 {
				continue
			}
			for _, f := range figures {
				*f.of(&r) = meanOf(draws, f)
			}
			if err := each(r); err != nil {
				return err
			}
		}
	}
	return nil
}

func draw(ctx context.Context, m *model.Model, a *Assays, at, size int, seed uint32, limit *evaluate.QueryLimit) (r Result, err error) {
	t := &a.Tasks[at]
	ep, err := data.DrawStratified(t, at, size, 0, seed)
	if err != nil {
		return r, err
	}
	values := make(map[int32]data.Measured, len(t.Rows))
	for i, row := range t.Rows {
		values[row] = t.Values[i]
	}
	byValue, err := scores(ctx, m, a, ep, limit)
	if err != nil {
		return r, err
	}
	support := each.Of(ep.SupportValues, func(v data.Measured) float64 { return v.Value })
	ep.SupportValues = nil
	labelled, err := scores(ctx, m, a, ep, limit)
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

func scores(ctx context.Context, m *model.Model, a *Assays, ep data.Episode, limit *evaluate.QueryLimit) (model.Scored, error) {
	support, err := data.AssembleSupport(a.Molecules, ep)
	if err != nil {
		return nil, err
	}
	adapted, err := m.Adapt(support)
	if err != nil {
		return nil, evaluate.Advised(err)
	}
	defer adapted.Drop()
	return evaluate.RankAll(ctx, adapted, limit, a.Molecules, ep.Query)
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
