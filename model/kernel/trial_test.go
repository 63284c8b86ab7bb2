package kernel

import (
	"slices"
	"testing"

	"pacia/data/molecule"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/shared/past"
	"pacia/model/shared/remembered"
)

// TestJudge: scores by a trial and past assays are those of the model that recalls them, up to the calibration, with any weights
// and for each part; also if no support molecule was measured, and without past assays.
func TestJudge(t *testing.T) {
	modeltest.Locked(t, 1)
	m, _, d := memorised(t, ForPreset("").(Settings))
	store := d.Store.(*molecule.Store)
	prints, _ := molecule.FingerprintsOf(store)
	keys := remembered.Keys(prints)
	queries := []int32{0, 7, 20, 21, 22, 5, 38}
	for _, first := range []int32{0, 15} { // of the measured molecules; the support set has rows 0 to 5
		columns := []past.Column{{Name: "one"}, {Name: "two"}}
		for row := first; row < 36; row++ {
			for a := range columns {
				c := &columns[a]
				c.Rows, c.Labels = append(c.Rows, row), append(c.Labels, past.LabelOf(int(row)%(5+a) > 2))
			}
		}
		h := model.History{}
		h.Parts, h.Assays = past.PartsOf([]*past.Memory{past.New("past.csv", "", keys, columns)}, nil)
		e := modeltest.Task(0, 3, 0)
		trial, err := modeltest.Adapt(t, m, store, e).Trial(modeltest.Readable(m, modeltest.Queries(t, store, queries)))
		if err != nil {
			t.Fatal(err)
		}
		trial.Labels = slices.Concat(e.SupportLabels, make([]uint8, len(queries)))
		var ofTrial []uint64
		for _, row := range slices.Concat(e.Support, queries) {
			ofTrial = append(ofTrial, keys[row])
		}
		weights := []past.Weights{{}, {Profile: 2, Hits: 1, Agreement: 3}, {Profile: 12}, {Hits: 1.5, Agreement: 3}}
		for part := -1; part <= int(model.Profile); part++ {
			of := func(w past.Weights) *model.Model {
				h.Weights = w
				r := m.Recall(h)
				if part >= 0 {
					r = r.PastPart(model.PastPart(part))
				}
				return r
			}
			all, err := of(past.Weights{}).Judge(trial, ofTrial, weights)
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range weights {
				if part == int(model.Profile) && w.Profile == 0 {
					continue // it is then that of the usual weights
				}
				r := of(w)
				scored, err := modeltest.Adapt(t, r, store, e).ScoreAll(modeltest.Readable(r, modeltest.Queries(t, store, queries)))
				if err != nil {
					t.Fatal(err)
				}
				slope := 1.0
				if part < 0 && first == 0 {
					slope = pastSlope
				}
				var want, got []float64
				for q, s := range scored {
					want, got = append(want, float64(s.LogOdds)), append(got, slope*all[i][q])
				}
				modeltest.Near(t, "scores", got, want, modeltest.Float32ULP)
			}
		}
	}
}
