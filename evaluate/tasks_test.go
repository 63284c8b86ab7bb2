package evaluate

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
	"pacia/data/source"
	"pacia/model"
	"pacia/ops"
)

// oracle scores molecules with a given function and records its batches.
type oracle struct {
	score   func(b *data.Batch, molecule int32) float32
	batches []*data.Batch
	support []*data.Batch
	dropped int
	labels  int        // returned by Support
	most    int        // largest number of queries in a batch; 0: any
	mu      sync.Mutex // batches are scored concurrently
}

func (o *oracle) adapt(b *data.Batch) (Adapted, error) {
	o.support = append(o.support, b)
	return o, nil
}

func (o *oracle) Drop() { o.dropped++ }

func (o *oracle) Device() ops.Device { return ops.CPU }

func (o *oracle) Support() int { return o.labels }

func (o *oracle) ScoreAll(b *data.Batch) (all model.Scored, err error) {
	o.mu.Lock()
	o.batches = append(o.batches, b)
	o.mu.Unlock()
	if o.most > 0 && len(b.QueryMol) > o.most {
		return nil, fmt.Errorf("%d queries: %w", len(b.QueryMol), ops.ErrOutOfMemory)
	}
	for _, m := range b.QueryMol {
		all = append(all, model.Score{Probability: o.score(b, m), Depth: 1})
	}
	return all, nil
}

// openAssays opens a data set with the labels of rings as task 6, ring.
func openAssays(t *testing.T) *data.Dataset {
	t.Helper()
	ds, err := source.Open(context.Background(), "../train/testdata/assays.csv", source.Options{Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ds.Close(); err != nil {
			t.Error(err)
		}
	})
	return ds
}

// agreement counts the support molecules that have the label of their task.
func agreement(ds *data.Dataset, ep data.Episode) (right, all int) {
	task := ds.Tasks[ep.Task]
	for i, row := range ep.Support {
		at := slices.Index(task.Rows, row)
		if task.Labels[at] == ep.SupportLabels[i] {
			right++
		}
	}
	return right, len(ep.Support)
}

// rings scores molecules with rings higher than chains: they have at least as many
// bonds as atoms.
func rings(b *data.Batch, m int32) float32 {
	first, end := b.MolPtr[m], b.MolPtr[m+1]
	return float32(int(b.RowPtr[end]-b.RowPtr[first])/2 - int(end-first))
}

func size(b *data.Batch, m int32) float32 { return float32(b.MolPtr[m+1] - b.MolPtr[m]) }

// TestScoresMeetTheirLabels: the labels of task ring (number 6) are exactly those that
// rings computes, so that a mix-up of molecules changes the ROC-AUC.
func TestScoresMeetTheirLabels(t *testing.T) {
	ds := openAssays(t)
	for _, tt := range []struct {
		score func(b *data.Batch, m int32) float32
		want  float64
	}{
		{rings, 1},
		{func(b *data.Batch, m int32) float32 { return -rings(b, m) }, 0},
		{func(*data.Batch, int32) float32 { return 0.25 }, 0.5},
	} {
		o := &oracle{score: tt.score}
		aucs, n, err := Tasks(context.Background(), Adapter(o.adapt), ds, []int{6}, Options{Rule: data.Draw{Shots: 3}})
		if err != nil {
			t.Fatal(err)
		}
		if aucs[0].Value("") != tt.want || aucs[0].Task != "ring" || n != len(ds.Tasks[6].Rows)-6 {
			t.Errorf("ROC-AUC of %+v from %d molecules, want %v from all of %d but 6", aucs[0], n, tt.want, len(ds.Tasks[6].Rows))
		}
		if o.dropped != 1 {
			t.Errorf("the adapted model is dropped %d times", o.dropped)
		}
	}
}

func TestQueriesComeSortedBySize(t *testing.T) {
	ds := openAssays(t)
	o := &oracle{score: size}
	if _, _, err := Tasks(context.Background(), Adapter(o.adapt), ds, []int{5, 6}, Options{Rule: data.Draw{Shots: 3}}); err != nil {
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

// TestManyBatches ranks more queries than fit into one batch: a long list of rows of
// the data set.
func TestManyBatches(t *testing.T) {
	ds := openAssays(t)
	var rows []int32
	for i := range 4000 {
		rows = append(rows, int32(i%ds.Store.Len()))
	}
	o := &oracle{score: size, labels: 20}
	scores, _, err := Rank(context.Background(), o, new(QueryLimit), ds.Store, rows)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.batches) < 3 || len(scores) != len(rows) {
		t.Fatalf("%d scores of %d molecules in %d batches, want 3 or more", len(scores), len(rows), len(o.batches))
	}
	for i, row := range rows {
		if want := float32(ds.Store.Atoms(int(row))); scores[i] != want {
			t.Fatalf("score %d is that of another molecule: %v atoms, want %v", i, scores[i], want)
		}
	}
}

// TestSupportSetsOfEvaluations: support sets are equal for equal seed and number, and
// differ otherwise.
func TestSupportSetsOfEvaluations(t *testing.T) {
	ds := openAssays(t)
	support := func(o Options) []int32 {
		ep, err := o.Draw(ds, 6, 0)
		if err != nil {
			t.Fatal(err)
		}
		if right, all := agreement(ds, ep); right != all {
			t.Errorf("%d of %d support labels are right", right, all)
		}
		if len(ep.Query)+len(ep.Support) != len(ds.Tasks[6].Rows) {
			t.Errorf("%d queries and %d support molecules of %d", len(ep.Query), len(ep.Support), len(ds.Tasks[6].Rows))
		}
		return ep.Support
	}
	base := Options{Seed: 1, Number: 10, Rule: data.Draw{Shots: 5}}
	if !reflect.DeepEqual(support(base), support(base)) {
		t.Error("two draws of one evaluation differ")
	}
	for _, other := range []Options{{Seed: 2, Number: 10, Rule: data.Draw{Shots: 5}}, {Seed: 1, Number: 20, Rule: data.Draw{Shots: 5}}} {
		if reflect.DeepEqual(support(base), support(other)) {
			t.Errorf("%+v and %+v draw the same support set", base, other)
		}
	}
}

func TestEvaluationsThatFail(t *testing.T) {
	ds := openAssays(t)
	nan := &oracle{score: func(*data.Batch, int32) float32 { return float32(math.NaN()) }}
	if _, _, err := Tasks(context.Background(), Adapter(nan.adapt), ds, []int{6}, Options{Rule: data.Draw{Shots: 3}}); err == nil {
		t.Error("scores that are not numbers give a ROC-AUC")
	}
	ctx, cancel := context.WithCancel(context.Background())
	stops := &oracle{score: func(*data.Batch, int32) float32 { cancel(); return 0 }}
	if _, _, err := Tasks(ctx, Adapter(stops.adapt), ds, []int{5, 6}, Options{Rule: data.Draw{Shots: 3}}); !errors.Is(err, context.Canceled) {
		t.Errorf("an evaluation that is stopped gives %v", err)
	}
	if len(stops.batches) != 1 {
		t.Errorf("an evaluation that is stopped scores %d batches, want 1", len(stops.batches))
	}
}

// TestProgress: every ranked molecule is reported, and their number is that of Molecules.
// Molecules of controls do not count.
func TestProgress(t *testing.T) {
	ds := openAssays(t)
	reported := 0
	ctx := WithProgress(context.Background(), func(n int) { reported += n })
	opts := Options{Rule: data.Draw{Shots: 3}, Draws: 2, Controls: &Controls{Train: []int{0, 1}}}
	_, n, err := Tasks(ctx, Adapter((&oracle{score: rings}).adapt), ds, []int{5, 6}, opts)
	if err != nil {
		t.Fatal(err)
	}
	if want := Molecules(ds, []int{5, 6}, opts); reported != n || reported != want {
		t.Errorf("%d molecules are reported; %d were ranked, %d forecast", reported, n, want)
	}
}
