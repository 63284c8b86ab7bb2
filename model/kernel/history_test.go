package kernel

import (
	"math"
	"testing"

	"pacia/data/molecule"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/shared/past"
	"pacia/model/shared/remembered"
)

// TestRecollect compares weights of past assays, and rows that are weighted by them, with their definitions. The first assay
// divides the support set as its labels do, the second the other way round, and the third measured one molecule.
func TestRecollect(t *testing.T) {
	z := [][]float64{{1, -2, 0.5}, {-1.5, 1}, {0.5, -1}} // scaled labels of each molecule in the assays, as measured
	y := []float64{1, -1, 1.5}
	rows := make([]row, len(z))
	for i, labels := range z {
		for a, v := range labels {
			rows[i].entries = append(rows[i].entries, entry{task: int32(a), value: float32(v)})
		}
	}
	h := &history{History: model.History{Weights: past.Usual}, scales: make([]scale, 3)}
	got := h.recollect(rows, y)
	pi := make([]float64, 3)
	for a := range pi {
		var n, product, labels, targets float64
		for i, of := range z {
			if a < len(of) {
				n, product, labels, targets = n+1, product+y[i]*of[a], labels+of[a]*of[a], targets+y[i]*y[i]
			}
		}
		r := math.Sqrt(n/(n+4)) * product / math.Sqrt((labels+0.3)*(targets+0.3))
		pi[a] = math.Exp(3 * math.Max(0, r))
		if math.Abs(got.roots[a]*got.roots[a]-pi[a]) > 1e-6 {
			t.Errorf("assay %d has the weight %v, want %v", a, got.roots[a]*got.roots[a], pi[a])
		}
	}
	if pi[1] != 1 || pi[0] < 2 {
		t.Errorf("weights %v: the first assay should count more, the second not", pi)
	}
	for i, of := range z {
		squares := few
		for a, v := range of {
			squares += pi[a] * v * v
		}
		for a, v := range of {
			want := math.Sqrt(pi[a]) * v / math.Sqrt(squares)
			if e := got.weigh(rows[i])[a]; math.Abs(float64(e.value)-want) > 1e-6 || math.Abs(float64(got.values[a*3+i])-want) > 1e-6 {
				t.Errorf("molecule %d has %v in assay %d, want %v", i, e.value, a, want)
			}
		}
	}
}

// TestRecall: past assays change scores, those of other molecules do not, to the bit; the explanations of scores add up; and
// each part of past assays is what it is called.
func TestRecall(t *testing.T) {
	modeltest.Locked(t, 1)
	for _, values := range []bool{false, true} {
		m, _, d := memorised(t, ForPreset("").(Settings))
		store := d.Store.(*molecule.Store)
		e := modeltest.Task(0, 3, 0)
		queries := []int32{0, 7, 20, 21, 22, 5, 30}
		score := func(m *model.Model) []float64 {
			p, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, queries, len(queries))
			return p
		}
		column := past.Column{Name: "past", Valued: values}
		for row := range int32(36) {
			l := past.LabelOf(row%5 > 2)
			if values {
				l.Rank = uint8(1 + 30*(row%5))
			}
			column.Rows, column.Labels = append(column.Rows, row), append(column.Labels, l)
		}
		recall := func(store *molecule.Store, specific bool) *model.Model {
			prints, _ := molecule.FingerprintsOf(store)
			keys := remembered.Keys(prints)
			h := model.History{Specific: specific}
			h.Parts, h.Assays = past.PartsOf([]*past.Memory{past.New("past.csv", "", keys, []past.Column{{Name: "other"}, column})}, nil)
			return m.Recall(h)
		}
		before, r := score(m), recall(store, false)
		with, without, foreign := score(r), score(r.PastPart(model.NoPast)), score(recall(modeltest.RandomStore(77, 40), false))
		hits := score(r.PastPart(model.Hits))
		for i, q := range queries {
			if without[i] != before[i] || foreign[i] != before[i] {
				t.Errorf("molecule %d scores %v without past assays, %v with those of other molecules, and %v before", q, without[i], foreign[i], before[i])
			}
			if q < 36 && with[i] == before[i] {
				t.Errorf("past assays do not change the score of molecule %d", q)
			}
			for j, other := range queries {
				if q < 36 && other < 36 && q%5/3 > other%5/3 && hits[i] <= hits[j] {
					t.Errorf("molecule %d was active and %d not, but the first does not score higher by hits: %v, %v", q, other, hits[i], hits[j])
				}
			}
		}
		queries = append(queries, 36, 38) // past assays have no labels of these
		for i, p := range score(r) {
			if queries[i] >= 36 && p != score(m)[i] {
				t.Errorf("molecule %d, which no past assay measured, scores %v, and %v without past assays", queries[i], p, score(m)[i])
			}
		}
		queries = queries[:len(queries)-2]
		a := modeltest.Adapt(t, r, store, e)
		for i, x := range modeltest.Explained(t, r, a, store, queries) {
			sum, parts := x.Rest+modeltest.Sum(x.Support), 0.0
			for _, part := range x.Parts {
				if part.Name == "labels in past assays" {
					parts = part.Share
				}
			}
			shares := 0.0
			for _, p := range x.Past {
				shares += p.Share
			}
			if math.Abs(sum-x.LogOdds) > 1e-6 || math.Abs(shares-parts) > 1e-6 || parts == 0 {
				t.Errorf("molecule %d: shares of %v for a score of %v; past assays have %v, one by one %v", queries[i], sum, x.LogOdds, parts, shares)
			}
			if specific := recall(store, true); modeltest.Explained(t, specific, modeltest.Adapt(t, specific, store, e), store, queries)[i].Hits != 0 || x.Hits == 0 {
				t.Errorf("molecule %d: hits count %v, or also where they should not", queries[i], x.Hits)
			}
		}
	}
}
