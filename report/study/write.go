package study

import (
	"encoding/json"
	"io"
)

// File is the name of the study's file in a report's folder.
const File = "study.json"

// Write writes the study as JSON, with graphs only of the cases.
func (s *Study) Write(w io.Writer) error {
	type graph struct {
		Query  int           `json:"query"`
		Case   string        `json:"case"`
		Layers [][][]float32 `json:"a"` // [L][n][n] for each relation layer; each row is a node, the query last
	}
	var graphs []graph
	for _, c := range s.Cases() {
		g := graph{Query: c.Query, Case: c.Why}
		for l := range s.Layers {
			g.Layers = append(g.Layers, cut(s.Edges(c.Query, l+1), len(s.Support)+1))
		}
		graphs = append(graphs, g)
	}
	return json.NewEncoder(w).Encode(struct {
		*Study
		Graphs []graph `json:"graphs"`
	}{s, graphs})
}
