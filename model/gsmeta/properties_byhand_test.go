package gsmeta

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pacia/harness/opstest"
)

// normedByHand returns BN(z) of all rows, in training by their own statistics.
func (c propertyCase) normedByHand(l *opstest.Lab, name string, rows opstest.Matrix) (out opstest.Matrix) {
	gamma, beta := l.Values[name+".gamma"], l.Values[name+".beta"]
	for range rows {
		out = append(out, make([]float64, len(gamma)))
	}
	for i := range gamma {
		mean, variance := 0.1*float64(i+1), 1+0.5*float64(i)
		if c.mode.Training {
			mean, variance = 0, 0
			for _, z := range rows {
				mean += z[i] / float64(len(rows))
			}
			for _, z := range rows {
				variance += (z[i] - mean) * (z[i] - mean) / float64(len(rows))
			}
		}
		for r, z := range rows {
			out[r][i] = gamma[i]*(z[i]-mean)/math.Sqrt(variance+1e-5) + beta[i]
		}
	}
	return out
}

func eachRow(rows opstest.Matrix, f func([]float64) []float64) (out opstest.Matrix) {
	for _, r := range rows {
		out = append(out, f(r))
	}
	return out
}

// labelled returns the edges between molecules and properties of graph m, whose first T nodes are the properties.
func (c propertyCase) labelled(m int) (edges []sent) {
	T := len(c.known[0])
	both := func(molecule, property int, kind uint8) {
		edges = append(edges, sent{T + molecule, property, int(kind), 1}, sent{property, T + molecule, int(kind), 1})
	}
	for i, row := range c.known {
		for p, kind := range row {
			both(i, p, kind)
		}
	}
	if c.asked != nil {
		for p, kind := range c.asked[m] {
			if p > 0 {
				both(len(c.known), p, kind)
			}
		}
	}
	return edges
}

// similar adds the edges between molecules of each graph: all n² pairs go through the network.
func (c propertyCase) similar(l *opstest.Lab, layer string, graphs []opstest.Matrix, edges [][]sent) {
	T := len(c.known[0])
	n := len(graphs[0]) - T
	var rows opstest.Matrix
	for _, x := range graphs {
		for i := range n {
			for j := range n {
				r := opstest.Sum(x[T+i], opstest.Times(-1, x[T+j]))
				for k := range r {
					r[k] = math.Exp(-math.Abs(r[k]))
				}
				rows = append(rows, r)
			}
		}
	}
	for _, name := range []string{layer + ".pair.0", layer + ".pair.1"} {
		rows = eachRow(rows, func(x []float64) []float64 { return opstest.Affine(l.Values[name+".w"], nil, x) })
		rows = eachRow(c.normedByHand(l, name, rows), opstest.Leaky)
	}
	for r := range rows {
		rows[r] = opstest.Affine(l.Values[layer+".pair.2.W"], l.Values[layer+".pair.2.b"], rows[r])
	}
	for m := range graphs {
		for i := range n {
			var others []sent
			for j := range n {
				if j != i {
					a := 1 / (1 + math.Exp(-rows[(m*n+i)*n+j][0]))
					others = append(others, sent{T + i, T + j, 0, a})
				}
			}
			slices.SortStableFunc(others, func(x, y sent) int { return cmp.Compare(y.weight, x.weight) })
			edges[m] = append(edges[m], others[:min(max(c.shots-1, 1), len(others))]...)
		}
	}
}

func (c propertyCase) byHand(l *opstest.Lab) []float64 {
	properties := append(opstest.Rows(l.Values["target"], c.d), opstest.Rows(l.Values["others"], c.d)...)
	support := opstest.Rows(l.Values["support"], c.d)
	T := len(properties)
	graphs := []opstest.Matrix{slices.Concat(properties, support)}
	if c.asked != nil {
		graphs = nil
		for _, q := range opstest.Rows(l.Values["query"], c.d) {
			graphs = append(graphs, append(slices.Concat(properties, support), q))
		}
	}
	for layer := range c.layers {
		name := fmt.Sprint(layer)
		edges := make([][]sent, len(graphs))
		for m := range graphs {
			edges[m] = c.labelled(m)
		}
		c.similar(l, name, graphs, edges)
		types := opstest.Rows(l.Values[name+".types"], c.d)
		var z opstest.Matrix
		for m, x := range graphs {
			for v := range x {
				count, total := 0.0, make([]float64, c.d)
				for _, e := range edges[m] {
					if e.to == v {
						message := opstest.Sum(opstest.Affine(l.Values[name+".near.W"], l.Values[name+".near.b"], x[e.from]), types[e.kind])
						count, total = count+1, opstest.Sum(total, opstest.Times(e.weight, message))
					}
				}
				z = append(z, opstest.Sum(opstest.Affine(l.Values[name+".root.W"], l.Values[name+".root.b"], x[v]), opstest.Times(1/max(count, 1),
					total)))
			}
		}
		z = eachRow(c.normedByHand(l, name+".norm", z), opstest.Leaky)
		for m := range graphs {
			n := len(graphs[m])
			graphs[m] = z[m*n : (m+1)*n]
		}
	}
	var rows opstest.Matrix
	vector, others := make([]float64, c.d), make([]float64, c.d)
	for _, x := range graphs {
		read := x[len(x)-1:]
		if c.asked == nil {
			read = x[T:]
		}
		for _, molecule := range read {
			rows = append(rows, opstest.Affine(l.Values["hidden.w"], l.Values["hidden.b"], append(slices.Clone(molecule), x[0]...)))
		}
		vector = opstest.Sum(vector, opstest.Times(1/float64(len(graphs)), x[0]))
		for _, y := range x[1:] {
			others = opstest.Sum(others, opstest.Times(1/float64(len(graphs)*(len(x)-1)), y))
		}
	}
	var logits []float64
	for _, x := range c.normedByHand(l, "hidden", rows) {
		for i := range x {
			x[i] = max(x[i], 0)
		}
		logits = append(logits, opstest.Affine(l.Values["last.W"], l.Values["last.b"], x)...)
	}
	for i := range vector {
		vector[i] += 1 / (1 + math.Exp(-others[i]))
	}
	return append(logits, vector...)
}
