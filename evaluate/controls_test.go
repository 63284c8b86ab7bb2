package evaluate

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pacia/data"
	"pacia/metrics"
)

// reader is a model that adapts: it ranks by rings, with the sign that the labels of its
// support set imply. Swapped labels reverse its ranking.
type reader struct{ oracle }

func (m *reader) adapt(b *data.Batch) (Adapted, error) {
	var sign float32
	for i, molecule := range b.SupportMol {
		sign += (2*float32(b.SupportLabel[i]) - 1) * rings(b, molecule)
	}
	return &oracle{score: func(b *data.Batch, q int32) float32 { return sign * rings(b, q) }}, nil
}

// TestAdaptivity: swapping the labels costs a model that depends on them twice its
// ROC-AUC above chance, and nothing for a model that ignores them. The labels of task
// ring (number 6) are exactly those that rings computes.
func TestAdaptivity(t *testing.T) {
	ds := openAssays(t)
	for _, tt := range []struct {
		name                     string
		adapt                    Adapter
		swapped, adaptivity, own float64
	}{
		{"adapts", new(reader).adapt, 0, 1, 1},
		{"does not", (&oracle{score: rings}).adapt, 1, 0, 1},
		{"knows nothing", (&oracle{score: func(*data.Batch, int32) float32 { return 1 }}).adapt, 0.5, 0, 0.5},
	} {
		for _, controls := range []Controls{{}, {Queries: 40}, {Draws: 1}, {Train: []int{0, 1}, Depths: true}} {
			o := Options{Rule: data.Draw{Shots: 3}, Draws: 2, Controls: &controls}
			all, _, err := Tasks(context.Background(), tt.adapt, ds, []int{5, 6}, o)
			if err != nil {
				t.Fatal(err)
			}
			a := all[1].Adaptivity
			if a.Own.Value("") != tt.own || a.Swapped.Value("") != tt.swapped || a.Adaptivity.Value("") != tt.adaptivity {
				t.Errorf("a model that %s, %+v: %+v", tt.name, controls, a)
			}
			draws := 2
			if controls.Draws == 1 {
				draws = 1
			}
			queries := len(ds.Tasks[6].Rows) - 6
			if controls.Queries > 0 {
				queries = controls.Queries
			} else if all[1].Value("") != a.Own.Value("") || a.Own.Value(metrics.NameDeltaAUPRC) != all[1].Value(metrics.NameDeltaAUPRC) {
				t.Errorf("its own figures are %+v, those of the task %+v", a.Own, all[1])
			}
			if (a.Known > 0) != (controls.Train != nil) {
				t.Errorf("%+v: %d queries are known", controls, a.Known)
			}
			if a.Draws != draws || a.Queries != draws*queries || a.Foreign == nil || (a.Static == nil) != (controls.Train == nil) {
				t.Errorf("%+v: %+v, want %d draws of %d queries", controls, a, draws, queries)
			}
		}
	}
}

// TestAdaptivityOfABenchmark: FS-Mol's protocol measures adaptivity for each size.
func TestAdaptivityOfABenchmark(t *testing.T) {
	ds := openAssays(t)
	o := BenchmarkOptions{Sizes: []int{8, 16, 100000}, Draws: 3, Controls: &Controls{Draws: 2}}
	_, err := Benchmark(context.Background(), Adapter(new(reader).adapt), ds, []int{5, 6}, o, func(b BenchmarkedTask) error {
		if b.Task != "ring" {
			return nil
		}
		for _, size := range []int{8, 16} {
			if a := b.Figures[size].Adaptivity; a == nil || a.Draws != 2 || a.Adaptivity.Value("") != 1 || len(b.Results) != 6 {
				t.Errorf("size %d: %+v of %d draws", size, a, len(b.Results))
			}
		}
		if len(b.Figures) != 2 {
			t.Errorf("figures of sizes that the task does not hold: %v", b.Figures)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestSwappedSupport: the labels are swapped, and the molecules are the same, ordered with
// the inactive ones first.
func TestSwappedSupport(t *testing.T) {
	ep := data.Episode{Support: []int32{4, 5, 6, 7, 8}, SupportLabels: []uint8{0, 0, 0, 1, 1}, Query: []int32{1}, QueryLabels: []uint8{1}, Shots: 2}
	want := data.Episode{Support: []int32{7, 8, 4, 5, 6}, SupportLabels: []uint8{0, 0, 1, 1, 1}, Query: []int32{1}, QueryLabels: []uint8{1}, Shots: 2}
	if got := ep.SwapSupport(); !reflect.DeepEqual(got, want) {
		t.Errorf("swapped: %+v, want %+v", got, want)
	}
	if back := ep.SwapSupport().SwapSupport(); !reflect.DeepEqual(back, ep) {
		t.Errorf("swapped twice: %+v, want %+v", back, ep)
	}
}

// TestOtherTask: half the list further on, then one by one, and never the task itself.
func TestOtherTask(t *testing.T) {
	for _, tt := range []struct {
		tasks, small []int // small: tasks too small for a draw
		at, want     int   // want −1: no task
	}{
		{[]int{3}, nil, 0, -1},
		{[]int{3, 4}, nil, 0, 4},
		{[]int{3, 4}, nil, 1, 3},
		{[]int{3, 4}, []int{3}, 1, -1},
		{[]int{3, 4, 5}, nil, 2, 3},
		{[]int{0, 1, 2, 3, 4, 5}, nil, 1, 4},
		{[]int{0, 1, 2, 3, 4, 5}, []int{4, 5}, 1, 0},
		{[]int{0, 1, 2, 3, 4, 5}, []int{4, 5, 0}, 1, 2},
	} {
		got := otherTask(tt.tasks, tt.at, func(task int) (data.Episode, error) {
			if slices.Contains(tt.small, task) {
				return data.Episode{}, data.ErrTooSmall
			}
			return data.Episode{Task: task}, nil
		})
		if got == nil && tt.want >= 0 || got != nil && got.Task != tt.want {
			t.Errorf("of %v without %v, for number %d: %+v, want %d", tt.tasks, tt.small, tt.at, got, tt.want)
		}
	}
}

// TestSomeQueries: in the shares of the classes, at least one of each, in their order.
func TestSomeQueries(t *testing.T) {
	r := Ranking{}
	for i := range 100 {
		r.Rows, r.Labels, r.Scores = append(r.Rows, int32(i)), append(r.Labels, 0), append(r.Scores, float32(i))
	}
	r.Labels[50], r.Labels[51], r.Labels[52] = 1, 1, 1
	for n, actives := range map[int]int{2: 1, 10: 1, 60: 2, 100: 3, 0: 3, 200: 3} {
		some := r.subset(n, rand.New(rand.NewPCG(1, 2)))
		want := n
		if n == 0 || n > 100 {
			want = 100
		}
		if got := int(100 * metrics.ActiveShare(some.Labels) * float64(len(some.Rows)) / 100); len(some.Rows) != want || got != actives || !slices.IsSorted(some.Rows) {
			t.Errorf("%d of 100 with 3 actives: %d with %d actives, in the order %v", n, len(some.Rows), got, some.Rows)
		}
		for i, row := range some.Rows {
			if some.Labels[i] != r.Labels[row] || some.Scores[i] != r.Scores[row] {
				t.Fatalf("molecule %d has the label %d and the score %v of another", row, some.Labels[i], some.Scores[i])
			}
		}
	}
	if left := r.without([]int32{50, 51, 7}); len(left.Rows) != 97 {
		t.Errorf("without three molecules: %d are left", len(left.Rows))
	}
	if left := r.without([]int32{50, 51, 52}); len(left.Rows) != 100 {
		t.Errorf("without all actives: %d are left", len(left.Rows))
	}
}

// TestStaticScores: the share of active labels in the training tasks, by hand.
func TestStaticScores(t *testing.T) {
	ds := openAssays(t)
	ds.Tasks = []data.Task{
		{Name: "a", Rows: []int32{0, 1, 2}, Labels: []uint8{1, 1, 0}},
		{Name: "b", Rows: []int32{0, 1}, Labels: []uint8{1, 0}},
		{Name: "test", Rows: []int32{0, 1, 2, 3}, Labels: []uint8{1, 0, 0, 0}},
		{Name: "apart", Rows: []int32{2, 3, 4, 5, 6}, Labels: []uint8{1, 0, 0, 0, 0}},
	}
	known, got := staticScores(ds, []int{0, 1}, []int{2})
	if !slices.Equal(known[:4], []bool{true, true, true, false}) {
		t.Errorf("known are %v", known[:4])
	}
	if want := []float32{1, 0.5, 0, 0.6}; len(got) != ds.Store.Len() || !slices.Equal(got[:4], want) {
		t.Errorf("static scores %v, want %v", got[:min(4, len(got))], want)
	}
	if known, got := staticScores(ds, []int{0, 1}, []int{3}); got != nil || !known[2] {
		t.Errorf("static scores although a fifth of the molecules is known")
	}
	if _, got := staticScores(ds, nil, []int{2}); got != nil {
		t.Errorf("static scores without training tasks")
	}
}
