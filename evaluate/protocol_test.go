package evaluate

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"pacia/data"
	"pacia/metrics"
)

// TestDeltaAUPRC: perfect scores have the average precision 1, equal ones the
// share of actives.
func TestDeltaAUPRC(t *testing.T) {
	ds := openAssays(t)
	task := &ds.Tasks[6]
	for _, tt := range []struct {
		name  string
		o     *oracle
		share float64 // ΔAUPRC as a share of its maximum
	}{
		{"perfect", &oracle{score: rings}, 1},
		{"equal", &oracle{score: func(*data.Batch, int32) float32 { return 0.25 }}, 0},
	} {
		got, _, err := Tasks(context.Background(), Adapter(tt.o.adapt), ds, []int{6}, Options{Rule: data.Draw{Support: 12}, Draws: 3})
		if err != nil {
			t.Fatal(err)
		}
		var want float64
		for k := range 3 {
			ep, err := Options{Rule: data.Draw{Support: 12}}.Draw(ds, 6, k)
			if err != nil {
				t.Fatal(err)
			}
			actives := 0
			for _, l := range ep.QueryLabels {
				actives += int(l)
			}
			want += tt.share * (1 - float64(actives)/float64(len(ep.QueryLabels))) / 3
			if len(ep.Support) != 12 || len(ep.Query)+12 != len(task.Rows) {
				t.Errorf("draw %d: %d support molecules, %d queries of %d", k, len(ep.Support), len(ep.Query), len(task.Rows))
			}
		}
		// 1e-12 is far above the rounding of a few hundred sums near 1.
		if math.Abs(got[0].Value(metrics.NameDeltaAUPRC)-want) > 1e-12 || got[0].Draws != 3 {
			t.Errorf("%s scores: %+v, want ΔAUPRC %v of 3 draws", tt.name, got[0], want)
		}
		if got[0].Value("") != (1+tt.share)/2 {
			t.Errorf("%s scores: ROC-AUC %v", tt.name, got[0].Value(""))
		}
	}
}

// TestDrawsOfAnEvaluation: each draw has a seed of its own, which depends on the run's.
// The first balanced draw is that of an evaluation with one draw.
func TestDrawsOfAnEvaluation(t *testing.T) {
	ds := openAssays(t)
	for _, support := range []int{0, 10} {
		draw := func(seed, number uint64, k int) []int32 {
			ep, err := Options{Seed: seed, Number: number, Rule: data.Draw{Shots: 5, Support: support}, Draws: 4}.Draw(ds, 6, k)
			if err != nil {
				t.Fatal(err)
			}
			return ep.Support
		}
		if !reflect.DeepEqual(draw(1, 2, 3), draw(1, 2, 3)) {
			t.Error("two draws of one number differ")
		}
		for _, other := range [][]int32{draw(1, 2, 2), draw(1, 3, 3), draw(2, 2, 3)} {
			if reflect.DeepEqual(draw(1, 2, 3), other) {
				t.Error("draws of another number, evaluation or seed are equal")
			}
		}
	}
	if _, err := (Options{Rule: data.Draw{Support: 100000}}).Draw(ds, 6, 0); !errors.Is(err, data.ErrTooSmall) {
		t.Errorf("a draw that the task is too small for: %v", err)
	}
}
