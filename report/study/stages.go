package study

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"pacia/internal/each"
	"pacia/model"
)

// A Stage holds the embeddings of all molecules at one place in the model.
type Stage struct {
	Name       string      `json:"name"`
	Embeddings [][]float32 `json:"embeddings"` // [N+Q, d] support, then queries
	Separation *Separation `json:"separation"` // of the queries; nil if a class has fewer than two
}

// Names of the stages that every study has.
const (
	Plain = "without adaptation"
	Task  = "adapted to the task"
)

// stages returns the stages of an inspection. After the relation graph, the embedding of a support molecule is
// the mean of its nodes in the graphs of all queries.
func (s *Study) stages(i *model.Inspection) []Stage {
	all := []Stage{
		{Name: Plain, Embeddings: append(cut(i.PlainSupport, i.Width), cut(i.PlainQuery, i.Width)...)},
		{Name: Task, Embeddings: append(cut(i.TaskSupport, i.Width), cut(i.TaskQuery, i.Width)...)},
		{Name: fmt.Sprintf("relation graph, depth %d", s.Best), Embeddings: s.nodes(i, func(Query) int { return s.Best })},
	}
	if s.Adapted.Depth {
		all = append(all, Stage{Name: "adapted to the query", Embeddings: s.nodes(i, func(q Query) int { return q.Depth })})
	}
	for k := range all {
		queries, active := make([]int, len(s.Queries)), make([]bool, len(s.Queries))
		for q := range queries {
			queries[q], active[q] = len(s.Support)+q, s.Queries[q].Active
		}
		all[k].Separation = separation(all[k].Matrix(queries), active)
	}
	return all
}

// nodes returns the embeddings of the support nodes, averaged over the graphs, and of the queries. Depth returns
// the depth for each query.
func (s *Study) nodes(i *model.Inspection, depth func(Query) int) [][]float32 {
	n := i.Support + 1
	means := make([]float64, i.Support*i.NodeWidth)
	queries := make([][]float32, i.Queries)
	for q, query := range s.Queries {
		graph := i.Nodes[depth(query)-1][q*n*i.NodeWidth : (q+1)*n*i.NodeWidth]
		for k := range means {
			means[k] += float64(graph[k]) / float64(i.Queries)
		}
		queries[q] = graph[i.Support*i.NodeWidth:]
	}
	support := each.As[float32](means)
	return append(cut(support, i.NodeWidth), queries...)
}

func cut(x []float32, width int) (rows [][]float32) {
	for from := 0; from < len(x); from += width {
		rows = append(rows, x[from:from+width])
	}
	return rows
}

// Matrix returns some embeddings of a stage as rows.
func (s Stage) Matrix(molecules []int) *mat.Dense {
	x := mat.NewDense(len(molecules), len(s.Embeddings[0]), nil)
	for i, at := range molecules {
		for k, v := range s.Embeddings[at] {
			x.Set(i, k, float64(v))
		}
	}
	return x
}

// Cosines returns the cosine similarities of the molecules rows to the molecules columns.
// The similarity to a zero embedding is 0.
func (s Stage) Cosines(rows, columns []int) [][]float64 {
	a, b := s.Matrix(rows), s.Matrix(columns)
	out := make([][]float64, len(rows))
	for i := range rows {
		out[i] = make([]float64, len(columns))
		for j := range columns {
			x, y := a.RawRowView(i), b.RawRowView(j)
			if norm := floats.Norm(x, 2) * floats.Norm(y, 2); norm > 0 {
				out[i][j] = floats.Dot(x, y) / norm
			}
		}
	}
	return out
}
