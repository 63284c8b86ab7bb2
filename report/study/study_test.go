package study

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/data/source"
	"pacia/internal/setting"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/report/scores"
	"pacia/run/checkpoint"
)

// absent is a test task whose actives have no aromatic nitrogen.
const absent = "no_aromatic_nitrogen"

// untrained returns a small model with the settings of a run on the embedded data set.
func untrained(t *testing.T, encoder, predictor string) (*model.Model, checkpoint.Meta) {
	t.Helper()
	c, err := methods.ForPreset(model.Paper, methods.Default)
	if err == nil {
		err = setting.Assign(&c, "layers=2", "width=16", "relation.layers=3", "relation.width=12", "adapt.encoder="+encoder, "adapt.predictor="+predictor)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := methods.New(c, model.Options{Seed: 1, Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Drop)
	var meta checkpoint.Meta
	meta.Config.Model, meta.Config.Seed, meta.Config.Episode.Shots = c, 3, 4
	meta.Config.Data.Path, meta.Config.Data.Split, meta.Config.Data.Cache = data.Embedded, "auto", t.TempDir()
	ds, err := source.Open(context.Background(), data.Embedded, source.Options{Cache: meta.Config.Data.Cache})
	if err != nil {
		t.Fatal(err)
	}
	defer ds.Close()
	meta.DataHash = ds.Hash
	return m, meta
}

// pinned runs a test on a thread for tensors.
func pinned(t *testing.T, f func() error) {
	t.Helper()
	if err := ops.Pinned(2, f); err != nil {
		t.Fatal(err)
	}
}

// TestOf: a study has the support set and the queries of the evaluation, with the scores of
// Model.Score.
func TestOf(t *testing.T) {
	m, meta := untrained(t, "N", "D")
	pinned(t, func() error {
		s, err := New(context.Background(), m, meta, Options{Task: absent, Queries: 30})
		if err != nil {
			return err
		}
		if s.Task != absent || len(s.Support) != 8 || len(s.Queries) != 30 || s.Layers != 3 || len(s.Stages) != 4 {
			t.Fatalf("task %s: %d support, %d queries, %d layers, %d stages", s.Task, len(s.Support), len(s.Queries), s.Layers, len(s.Stages))
		}
		active := 0
		for i, q := range s.Queries {
			if !strings.Contains(q.SMILES, "n") != q.Active {
				t.Errorf("query %s is active: %t", q.SMILES, q.Active)
			}
			if q.Active {
				active++
			}
			if q.Probability != q.ByDepth[q.Depth-1] || float32(q.P[q.Depth-1]) != slices.Max(q.P) {
				t.Errorf("query %d: depth %d of %v, P %v of %v", i, q.Depth, q.P, q.Probability, q.ByDepth)
			}
		}
		if active != 15 {
			t.Errorf("%d of 30 queries are active", active)
		}
		for _, stage := range s.Stages {
			if len(stage.Embeddings) != 38 {
				t.Errorf("%s: %d embeddings", stage.Name, len(stage.Embeddings))
			}
			for i, row := range stage.Cosines([]int{0, 9, 37}, []int{0, 9, 37}) {
				if math.Abs(row[i]-1) > 1e-12 {
					t.Errorf("%s: similarity of molecule %d to itself: %v", stage.Name, i, row[i])
				}
			}
		}
		checkMeans(t, m, meta, s)
		return checkJSON(t, s)
	})
}

// checkMeans checks that queries in other batches, and a single one, have the same embeddings.
func checkMeans(t *testing.T, m *model.Model, meta checkpoint.Meta, s *Study) {
	t.Helper()
	src, err := scores.Open(context.Background(), meta)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	_, ep, err := find(src, absent)
	if err != nil {
		t.Fatal(err)
	}
	one := &Study{Support: s.Support, Queries: []Query{{Molecule: s.Queries[7].Molecule}}, Adapted: s.Adapted}
	if err := one.inspect(context.Background(), m, src.Data.Store, ep); err != nil {
		t.Fatal(err)
	}
	for k, want := range s.Stages[1].Embeddings[8+7] {
		// The order of sums differs with the batch: float32 keeps six digits of it.
		if got := one.Stages[1].Embeddings[8][k]; math.Abs(float64(got-want)) > 1e-4 {
			t.Fatalf("number %d of an embedding is %v alone, %v among others", k, got, want)
		}
	}
}

func checkJSON(t *testing.T, s *Study) error {
	t.Helper()
	var text bytes.Buffer
	if err := s.Write(&text); err != nil {
		return err
	}
	var back struct {
		Task   string
		Stages []struct{ Embeddings [][]float32 }
		Graphs []struct {
			Query int
			A     [][][]float32
		}
	}
	if err := json.Unmarshal(text.Bytes(), &back); err != nil {
		return err
	}
	if back.Task != absent || len(back.Stages[3].Embeddings) != 38 || len(back.Graphs) != len(s.Cases()) || len(back.Graphs[0].A) != 3 || len(back.Graphs[0].A[2]) != 9 || len(back.Graphs[0].A[2][8]) != 9 {
		t.Errorf("read back: %d stages, %d graphs", len(back.Stages), len(back.Graphs))
	}
	return nil
}

// TestOfWithoutAdaptation: without adaptation there is no fourth stage, and the first two are equal.
func TestOfWithoutAdaptation(t *testing.T) {
	m, meta := untrained(t, "none", "none")
	pinned(t, func() error {
		s, err := New(context.Background(), m, meta, Options{Queries: 10})
		if err != nil {
			return err
		}
		if len(s.Stages) != 3 || s.Adapted != (Adapted{}) || s.Queries[0].P != nil || s.Queries[0].Depth != 3 {
			t.Errorf("%d stages, query %+v", len(s.Stages), s.Queries[0])
		}
		if !slices.EqualFunc(s.Stages[0].Embeddings, s.Stages[1].Embeddings, slices.Equal[[]float32]) {
			t.Error("the first two stages differ")
		}
		return nil
	})
}

func TestFaults(t *testing.T) {
	m, meta := untrained(t, "N", "D")
	pinned(t, func() error {
		_, err := New(context.Background(), m, meta, Options{Task: "benzene", Queries: 10})
		if err == nil || !strings.HasPrefix(err.Error(), "--task benzene is not a test task of the run; write one of ") {
			t.Errorf("a training task: %v", err)
		}
		meta.DataHash = "other"
		_, err = New(context.Background(), m, meta, Options{Queries: 10})
		if want := "embedded: is not the file that the run was trained on; write --set data.path=FILE where that has moved"; err == nil || err.Error() != want {
			t.Errorf("other data: %v\nwant %s", err, want)
		}
		return nil
	})
	c, err := methods.ForPreset(model.Paper, "finetune")
	if err != nil {
		t.Fatal(err)
	}
	tuned, err := methods.New(c, model.Options{Seed: 1, Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	defer tuned.Drop()
	if _, err := New(context.Background(), tuned, meta, Options{}); err == nil ||
		err.Error() != "a model of model.method finetune has no relation graph to look into" {
		t.Errorf("a fine-tuned model: %v", err)
	}
	if got := UnknownTask("x", strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12 13")).Error(); !strings.HasSuffix(got, "11, 12, …") {
		t.Errorf("many tasks: %s", got)
	}
}

func TestSample(t *testing.T) {
	labels := make([]uint8, 100)
	for i := range 10 {
		labels[i*10] = 1
	}
	for _, tt := range []struct{ n, inactive, active int }{{10, 5, 5}, {30, 20, 10}, {1000, 90, 10}, {3, 2, 1}} {
		got := sample(labels, tt.n, rand.New(rand.NewPCG(1, 1)))
		active := 0
		for _, at := range got {
			active += int(labels[at])
		}
		distinct := slices.Compact(slices.Sorted(slices.Values(got)))
		if active != tt.active || len(got)-active != tt.inactive || len(distinct) != len(got) {
			t.Errorf("of %d: %d inactive, %d active, %d distinct; want %+v", tt.n, len(got)-active, active, len(distinct), tt)
		}
	}
}

// TestCases: easy queries have a small depth and a large distance to the median, wherever the median is. The
// hard one has the largest depth.
func TestCases(t *testing.T) {
	q := func(active bool, p float32, depth int) Query {
		return Query{Molecule: Molecule{SMILES: "CC", Active: active}, Probability: p, Depth: depth}
	}
	s := &Study{Queries: []Query{
		q(false, 0.70, 1), q(false, 0.60, 1), q(false, 0.10, 2), q(false, 0.76, 4),
		q(true, 0.80, 1), q(true, 0.90, 1), q(true, 0.99, 3), q(true, 0.20, 1),
		{Molecule: Molecule{SMILES: strings.Repeat("C", 90), Active: true}, Probability: 1, Depth: 1},
	}}
	var got []string
	for _, c := range s.Cases() {
		got = append(got, c.Why+" "+string(rune('0'+c.Query)))
	}
	if want := []string{"easy, active 5", "hard 3", "easy, inactive 1"}; !slices.Equal(got, want) {
		t.Errorf("cases %q, want %q", got, want)
	}
	if got := (&Study{Queries: []Query{q(true, 0.5, 1)}}).Cases(); len(got) != 1 || got[0].Why != "hard" {
		t.Errorf("of one query: %+v", got)
	}
}
