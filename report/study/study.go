package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/metrics"
	"pacia/model"
	"pacia/report/scores"
	"pacia/run/checkpoint"
)

// Legend: N support molecules, Q queries, L layers of the relation graph,
// n = N+1 nodes of a query's graph.

// A Study holds the representations of molecules of one test task in one model.
type Study struct {
	Task    string     `json:"task"`
	Seed    uint64     `json:"seed"`
	Episode int        `json:"episode"` // of the model
	Layers  int        `json:"layers"`  // L
	Support []Molecule `json:"support"` // [N] inactive first
	Queries []Query    `json:"queries"` // [Q] inactive first
	Best    int        `json:"best"`    // the depth with the highest ROC-AUC of all queries
	Adapted Adapted    `json:"adapted"`
	Stages  []Stage    `json:"stages"`

	adjacency [][]float32 // [L][Q, n, n]
}

// Adapted reports which halves of the model are adapted.
type Adapted struct {
	Encoder bool `json:"encoder"`
	Depth   bool `json:"depth"`
}

// A Molecule is a molecule of the task.
type Molecule struct {
	SMILES string `json:"smiles"`
	Active bool   `json:"active"`

	row int32
}

// A Query is a molecule that was classified.
type Query struct {
	Molecule
	Depth       int       `json:"depth"`         // chosen, 1 to L
	Probability float32   `json:"p_active"`      // at that depth
	ByDepth     []float32 `json:"p_active_each"` // [L] at each depth
	P           []float32 `json:"p,omitempty"`   // [L] plausibility of each depth
}

// Options select the subject of a study.
type Options struct {
	Task    string // name of the task; empty: the preferred one, or the first
	Queries int    // maximum number of queries, half of them active
}

// preferred is the task that the paper shows.
const preferred = "SR-p53"

// New studies the model of a run. It must be called from within ops.Pinned.
func New(ctx context.Context, m *model.Model, meta checkpoint.Meta, o Options) (*Study, error) {
	if !m.Traits().Stages {
		return nil, scores.Unfit{Err: badinput.Newf("a model of model.method %s has no relation graph to look into", m.Config().Method)}
	}
	src, err := scores.Open(ctx, meta)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	number, ep, err := find(src, o.Task)
	if err != nil {
		return nil, err
	}
	c := meta.Config
	s := &Study{
		Task: src.Data.Tasks[number].Name, Seed: c.Seed, Episode: meta.Episode(),
	}
	for i, row := range ep.Support {
		s.Support = append(s.Support, Molecule{Active: ep.SupportLabels[i] != 0, row: row})
	}
	for _, at := range sample(ep.QueryLabels, o.Queries, data.Rand(c.Seed, "study of "+s.Task, uint64(s.Episode))) {
		s.Queries = append(s.Queries, Query{Molecule: Molecule{Active: ep.QueryLabels[at] != 0, row: ep.Query[at]}})
	}
	if err := s.addSMILES(ctx, src.Data, number, src.From); err != nil {
		return nil, err
	}
	return s, s.inspect(ctx, m, src.Data.Store, ep)
}

// find returns the index of a test task with its support set and queries. It is the
// task of that name or, without a name, the preferred task or the first that is large enough.
func find(src *scores.Source, name string) (number int, ep data.Episode, err error) {
	names := each.Of(src.Test, func(number int) string { return src.Data.Tasks[number].Name })
	tasks := slices.Clone(src.Test)
	if at := slices.Index(names, cmp.Or(name, preferred)); at >= 0 {
		tasks = slices.Insert(tasks, 0, tasks[at])
	} else if name != "" {
		return 0, ep, UnknownTask(name, names)
	}
	for _, number = range tasks {
		if ep, err = src.Draw(number); name != "" || !errors.Is(err, data.ErrTooSmall) {
			break
		}
	}
	return number, ep, err
}

// UnknownTask returns the error for a name that is not among the test tasks.
func UnknownTask(name string, tasks []string) error {
	const most = 12
	if len(tasks) > most {
		tasks = append(slices.Clone(tasks[:most]), "…")
	}
	return &badinput.Error{What: fmt.Sprintf("--task %s is not a test task of the run", name), Fix: "write one of " + strings.Join(tasks, ", ")}
}

// sample returns the indices of at most n queries, half of each class if there are enough:
// inactive ones first, each class in random order.
func sample(labels []uint8, n int, r *rand.Rand) []int {
	var classes [2][]int
	for i, l := range labels {
		classes[l] = append(classes[l], i)
	}
	for _, c := range classes {
		r.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
	}
	active := min(len(classes[1]), max(n/2, n-len(classes[0])))
	return slices.Concat(classes[0][:min(len(classes[0]), n-active)], classes[1][:active])
}

func (s *Study) inspect(ctx context.Context, m *model.Model, store molecule.List, ep data.Episode) error {
	support, err := data.AssembleSupport(store, ep)
	if err != nil {
		return err
	}
	rows := each.Of(s.Queries, func(q Query) int32 { return q.row })
	var all model.Inspection
	for _, batch := range model.QueryBatches(store, rows, len(s.Support), m.Device()) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		queries, err := data.AssembleQueries(store, batch)
		if err != nil {
			return err
		}
		part, err := m.Inspect(support, queries)
		if err != nil {
			return err
		}
		join(&all, part)
	}
	s.Layers, s.adjacency = all.Layers, all.Adjacency
	s.Adapted = Adapted{Encoder: all.Modulated, Depth: all.P != nil}
	s.read(all.Readings)
	s.Best = s.best()
	s.Stages = s.stages(&all)
	return nil
}

func join(all, part *model.Inspection) {
	if all.Queries == 0 {
		*all = *part
		return
	}
	all.Queries += part.Queries
	all.PlainQuery, all.TaskQuery = append(all.PlainQuery, part.PlainQuery...), append(all.TaskQuery, part.TaskQuery...)
	for l := range all.Nodes {
		all.Nodes[l] = append(all.Nodes[l], part.Nodes[l]...)
		all.Adjacency[l] = append(all.Adjacency[l], part.Adjacency[l]...)
	}
	all.Probability, all.P, all.Depth = append(all.Probability, part.Probability...), append(all.P, part.P...), append(all.Depth, part.Depth...)
}

func (s *Study) read(r model.Readings) {
	for i := range s.Queries {
		q := &s.Queries[i]
		q.ByDepth = r.Probability[i*s.Layers : (i+1)*s.Layers]
		if r.P != nil {
			q.P = r.P[i*s.Layers : (i+1)*s.Layers]
		}
		q.Depth = int(r.Depth[i])
		q.Probability = q.ByDepth[q.Depth-1]
	}
}

// best returns the smallest depth with the highest ROC-AUC of the queries.
func (s *Study) best() int {
	labels := make([]uint8, len(s.Queries))
	values := make([]float32, len(s.Queries))
	best, at := -1.0, 1
	for l := range s.Layers {
		for i, q := range s.Queries {
			labels[i] = 0
			if q.Active {
				labels[i] = 1
			}
			values[i] = q.ByDepth[l]
		}
		if auc := metrics.ROCAUC(labels, values); auc > best {
			best, at = auc, l+1
		}
	}
	return at
}

// Drawable reports whether the molecules' SMILES are known.
func (s *Study) Drawable() bool { return s.Support[0].SMILES != "" }

// Edges returns the a_ij, [n, n], of a query's graph in a relation layer, 1 to L.
// The last node is the query; a node's row holds its K nearest.
func (s *Study) Edges(query, layer int) []float32 {
	n := len(s.Support) + 1
	return s.adjacency[layer-1][query*n*n : (query+1)*n*n]
}
