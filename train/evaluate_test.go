package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"pacia/data"
	"pacia/ops"
)

// oracle scores molecules by what it is told, and remembers its batches, which
// must be prepared.
type oracle struct {
	score   func(b *data.Batch, molecule int32) float32
	batches []*data.Batch
	support []*data.Batch
	dropped int
	most    int        // queries that it takes at a time; 0: any number
	mu      sync.Mutex // batches are scored side by side
}

func (o *oracle) adapt(b *data.Batch) (adapted, error) {
	o.support = append(o.support, b)
	return o, nil
}

func (o *oracle) Drop() { o.dropped++ }

func (o *oracle) Device() ops.Device { return ops.CPU }

func (o *oracle) Prepare(b *data.Batch) { b.Refine(2) }

func (o *oracle) Score(b *data.Batch) (probability []float32, depth []int32, err error) {
	o.mu.Lock()
	o.batches = append(o.batches, b)
	o.mu.Unlock()
	if len(b.Levels) != 3 {
		return nil, nil, errors.New("the batch was not prepared")
	}
	if o.most > 0 && len(b.QueryMol) > o.most {
		return nil, nil, fmt.Errorf("%d queries: %w", len(b.QueryMol), ops.ErrOutOfMemory)
	}
	for _, m := range b.QueryMol {
		probability = append(probability, o.score(b, m))
	}
	return probability, nil, nil
}

// rings tells aromatic and other rings from chains: they have as many bonds as
// atoms, or more.
func rings(b *data.Batch, m int32) float32 {
	first, end := b.MolPtr[m], b.MolPtr[m+1]
	return float32(int(b.RowPtr[end]-b.RowPtr[first])/2 - int(end-first))
}

func size(b *data.Batch, m int32) float32 { return float32(b.MolPtr[m+1] - b.MolPtr[m]) }

// TestScoresMeetTheirLabels: task ring (number 6) is exactly what rings
// computes, so that any exchange of molecules on the way shows.
func TestScoresMeetTheirLabels(t *testing.T) {
	r := openAssays(t, assaysConfig(t))
	for _, tt := range []struct {
		score func(b *data.Batch, m int32) float32
		want  float64
	}{
		{rings, 1},
		{func(b *data.Batch, m int32) float32 { return -rings(b, m) }, 0},
		{func(*data.Batch, int32) float32 { return 0.25 }, 0.5},
	} {
		o := &oracle{score: tt.score}
		aucs, n, err := evaluate(context.Background(), o.adapt, r.data, []int{6}, EvalOptions{Rule: data.Draw{Shots: 3}})
		if err != nil {
			t.Fatal(err)
		}
		if aucs[0].AUC != tt.want || aucs[0].Task != "ring" || n != len(r.data.Tasks[6].Rows)-6 {
			t.Errorf("ROC-AUC of %+v from %d molecules, want %v from all of %d but 6", aucs[0], n, tt.want, len(r.data.Tasks[6].Rows))
		}
		if o.dropped != 1 {
			t.Errorf("the adapted model is dropped %d times", o.dropped)
		}
	}
}

func TestQueriesComeSortedBySize(t *testing.T) {
	r := openAssays(t, assaysConfig(t))
	o := &oracle{score: size}
	if _, _, err := evaluate(context.Background(), o.adapt, r.data, []int{5, 6}, EvalOptions{Rule: data.Draw{Shots: 3}}); err != nil {
		t.Fatal(err)
	}
	for i, b := range o.batches {
		var sizes []float32
		for _, m := range b.QueryMol {
			sizes = append(sizes, size(b, m))
		}
		if !slices.IsSorted(sizes) {
			t.Errorf("batch %d has %d queries of sizes %v", i, len(sizes), sizes)
		}
		if b.Support != 0 {
			t.Errorf("batch %d holds a support set", i)
		}
	}
}

// TestManyBatches cuts more queries than fit into one batch; it puts rows of
// the data set together to a long task.
func TestManyBatches(t *testing.T) {
	r := openAssays(t, assaysConfig(t))
	var rows []int32
	for i := range 4000 {
		rows = append(rows, int32(i%r.data.Store.Len()))
	}
	o := &oracle{score: size}
	scores, err := rank(context.Background(), o, new(queryLimit), r.data.Store, rows, 20)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.batches) < 3 || len(scores) != len(rows) {
		t.Fatalf("%d scores of %d molecules in %d batches, want 3 or more", len(scores), len(rows), len(o.batches))
	}
	for i, row := range rows {
		if want := float32(r.data.Store.Atoms(int(row))); scores[i] != want {
			t.Fatalf("score %d is that of another molecule: %v atoms, want %v", i, scores[i], want)
		}
	}
}

// TestSupportSetsOfEvaluations: they are the same for the same seed and
// number, and others otherwise.
func TestSupportSetsOfEvaluations(t *testing.T) {
	r := openAssays(t, assaysConfig(t))
	support := func(o EvalOptions) []int32 {
		ep, err := o.Draw(r.data, 6, 0)
		if err != nil {
			t.Fatal(err)
		}
		if right, all := agreement(r.data, ep); right != all {
			t.Errorf("%d of %d support labels are right", right, all)
		}
		if len(ep.Query)+len(ep.Support) != len(r.data.Tasks[6].Rows) {
			t.Errorf("%d queries and %d support molecules of %d", len(ep.Query), len(ep.Support), len(r.data.Tasks[6].Rows))
		}
		return ep.Support
	}
	base := EvalOptions{Seed: 1, Number: 10, Rule: data.Draw{Shots: 5}}
	if !reflect.DeepEqual(support(base), support(base)) {
		t.Error("two draws of one evaluation differ")
	}
	for _, other := range []EvalOptions{{Seed: 2, Number: 10, Rule: data.Draw{Shots: 5}}, {Seed: 1, Number: 20, Rule: data.Draw{Shots: 5}}} {
		if reflect.DeepEqual(support(base), support(other)) {
			t.Errorf("%+v and %+v draw the same support set", base, other)
		}
	}
}

func TestEvaluationsThatFail(t *testing.T) {
	r := openAssays(t, assaysConfig(t))
	nan := &oracle{score: func(*data.Batch, int32) float32 { return float32(math.NaN()) }}
	if _, _, err := evaluate(context.Background(), nan.adapt, r.data, []int{6}, EvalOptions{Rule: data.Draw{Shots: 3}}); err == nil {
		t.Error("scores that are not numbers give a ROC-AUC")
	}
	ctx, cancel := context.WithCancel(context.Background())
	stops := &oracle{score: func(*data.Batch, int32) float32 { cancel(); return 0 }}
	if _, _, err := evaluate(ctx, stops.adapt, r.data, []int{5, 6}, EvalOptions{Rule: data.Draw{Shots: 3}}); !errors.Is(err, context.Canceled) {
		t.Errorf("an evaluation that is stopped gives %v", err)
	}
	if len(stops.batches) != 1 {
		t.Errorf("an evaluation that is stopped scores %d batches, want 1", len(stops.batches))
	}
}
