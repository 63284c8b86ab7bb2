package pacia

import (
	"math"
	"slices"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
)

// TestInspectAgreesWithScore: the reading at the chosen depth equals that of Score, and
// each stage has its shape and its properties.
func TestInspectAgreesWithScore(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(5, 40)
	e := modeltest.Task(0, 3, 30)
	for _, preset := range []string{model.Paper, model.Reference} {
		for _, adapt := range []Adapt{{"N", "D"}, {"none", "none"}, {"ND", "ND"}} {
			c := small(t, preset)
			c.Adapt = adapt
			m := newTest(t, c, true)
			support := modeltest.Support(t, store, e)
			queries := modeltest.Queries(t, store, e.Query)
			got, err := m.Inspect(support, queries)
			if err != nil {
				t.Fatal(err)
			}
			prob, depth := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, e.Query, 30)
			if !slices.Equal(got.Depth, depth) {
				t.Errorf("%s %v: depths %v, Score gives %v", preset, adapt, got.Depth, depth)
			}
			for q, d := range got.Depth {
				// One classifier call for all layers or for one layer has the same sums.
				if p := float64(got.Probability[q*got.Layers+int(d)-1]); math.Abs(p-prob[q]) > 1e-6 {
					t.Errorf("%s %v: query %d: P %v, Score gives %v", preset, adapt, q, p, prob[q])
				}
			}
			if (got.P == nil) != (adapt.Predictor == "none") {
				t.Errorf("%s %v: p %v", preset, adapt, got.P)
			}
			if same := slices.Equal(got.PlainQuery, got.TaskQuery) && slices.Equal(got.PlainSupport, got.TaskSupport); same != (adapt.Encoder == "none") {
				t.Errorf("%s %v: with and without modulations the embeddings are equal: %t", preset, adapt, same)
			}
			checkStages(t, got, e.Shots)
			read, err := m.ReadDepths(support, queries)
			if err != nil || !slices.Equal(read.Probability, got.Probability) || !slices.Equal(read.Depth, got.Depth) {
				t.Errorf("%s %v: ReadDepths differs from Inspect (%v)", preset, adapt, err)
			}
		}
	}
}

// checkStages checks shapes, and that a node keeps its K nearest neighbours other than itself.
func checkStages(t *testing.T, i *model.Inspection, shots int) {
	t.Helper()
	n := i.Support + 1
	if len(i.TaskSupport) != i.Support*i.Width || len(i.TaskQuery) != i.Queries*i.Width || len(i.Nodes) != i.Layers || len(i.Adjacency) != i.Layers {
		t.Fatalf("shapes of %+v", i)
	}
	for l := range i.Layers {
		if len(i.Nodes[l]) != i.Queries*n*i.NodeWidth || len(i.Adjacency[l]) != i.Queries*n*n {
			t.Fatalf("layer %d: %d numbers of nodes, %d of edges", l+1, len(i.Nodes[l]), len(i.Adjacency[l]))
		}
		for row := range i.Queries * n {
			kept := 0
			for col, a := range i.Adjacency[l][row*n : (row+1)*n] {
				if a < 0 || a >= 1 || (col == row%n && a != 0) {
					t.Fatalf("layer %d: edge %v at (%d, %d)", l+1, a, row, col)
				}
				if a > 0 {
					kept++
				}
			}
			if kept != shots {
				t.Errorf("layer %d: row %d has %d neighbours, want %d", l+1, row, kept, shots)
			}
		}
	}
}

func TestInspectRefusesOtherBatches(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(5, 40)
	e := modeltest.Task(0, 3, 4)
	both := modeltest.Joined(t, store, e)
	queries := modeltest.Queries(t, store, e.Query)
	m := newTest(t, small(t, model.Paper), false)
	if _, err := m.Inspect(both, queries); err == nil {
		t.Error("a support batch with queries is accepted")
	}
	if _, err := m.ReadDepths(queries, queries); err == nil {
		t.Error("a support batch without support is accepted")
	}
}
