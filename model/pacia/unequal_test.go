package pacia

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// TestUnequalClasses compares FiLM's vectors, depth and logits, which depend on the
// class means, with plain calculations, and counts the neighbours.
func TestUnequalClasses(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, preset := range []string{model.Paper, model.Reference} {
		for _, encoder := range []string{"gin", "pna"} {
			modeltest.RunBoth(t, preset+"/"+encoder, func(t *testing.T) {
				c := small(t, preset).of(encoder)
				c.Layers, c.DepthLoss, c.Norm = 1, "expected", "running"
				store := modeltest.RandomStore(40, 40)
				checkUnequal(t, c, store, modeltest.Unequal(0, 5, 2, 3), modeltest.Unequal(12, 3, 4, 4))
				checkUnequalScores(t, c, store, modeltest.Unequal(0, 5, 2, 6))
			})
		}
	}
}

func traced(t *testing.T, c config, b *data.Batch) (*probe, *trace) {
	t.Helper()
	p := newProbe(t, c, true)
	_, stages := p.pass(t, b, ops.Mode{})
	return p, stages
}

func checkUnequal(t *testing.T, c config, store *molecule.Store, eps ...data.Episode) {
	t.Helper()
	b := modeltest.Joined(t, store, eps...)
	p, got := traced(t, c, b)
	unadapted := c
	unadapted.Adapt.Encoder = "none" // embeddings after the only layer are then those before FiLM
	_, before := traced(t, unadapted, b)
	n, d := b.Support, c.Width
	for i := range eps {
		rows, labels := matrix(before.SupportMean, d)[i*n:(i+1)*n], b.SupportLabel[i*n:(i+1)*n]
		if a := p.task[0]; a.joint != nil {
			modeltest.Close(t, "[w | b]", matrix(got.W[0], 2*d)[i], plainHyper(t, a.joint, rows, labels, nil), modeltest.Rounding)
		} else {
			modeltest.Close(t, "w", matrix(got.W[0], d)[i], plainHyper(t, a.w, rows, labels, nil), modeltest.Rounding)
			modeltest.Close(t, "b", matrix(got.B[0], d)[i], plainHyper(t, a.b, rows, labels, nil), modeltest.Rounding)
		}
	}
	layers := c.Relation.Layers
	for q, task := range b.QueryTask {
		labels := b.SupportLabel[int(task)*n : (int(task)+1)*n]
		for l := range layers {
			at := q*layers + l
			nodes := matrix(got.Nodes[l], c.Relation.Width)[q*(n+1) : (q+1)*(n+1)]
			hyper := p.query.p
			if p.query.joint != nil {
				hyper = p.query.joint
			}
			modeltest.Close(t, "depth", got.Depth[at:at+1], plainHyper(t, hyper, nodes[:n], labels, nodes[n]), modeltest.Rounding)
			modeltest.Close(t, "logits", got.Logits[2*at:2*at+2], plainLogits(t, classifierOf(p.model), nodes, labels), modeltest.Rounding)
			for i, row := range matrix(got.Adjacency[l], n+1)[q*(n+1) : (q+1)*(n+1)] {
				if k := len(slices.DeleteFunc(slices.Clone(row), func(v float64) bool { return v == 0 })); k != b.Shots {
					t.Errorf("query %d, layer %d: node %d has %d neighbours, want %d", q, l, i, k, b.Shots)
				}
			}
		}
	}
}

// checkUnequalScores: adapting and scoring gives the same as one pass.
func checkUnequalScores(t *testing.T, c config, store *molecule.Store, e data.Episode) {
	t.Helper()
	p, stages := traced(t, c, modeltest.Joined(t, store, e))
	prob, depth := modeltest.Scores(t, p.model, modeltest.Adapt(t, p.model, store, e), store, e.Query, 4)
	for q, p := range matrix(stages.Depth, c.Relation.Layers) {
		best := slices.Index(p, slices.Max(p))
		l := stages.Logits[2*(q*c.Relation.Layers+best):]
		if want := 1 / (1 + math.Exp(l[0]-l[1])); int(depth[q]) != best+1 || math.Abs(prob[q]-want) > modeltest.Float32ULP {
			t.Errorf("query %d: P(active) %v at depth %d, in one pass %v at %d", q, prob[q], depth[q], want, best+1)
		}
	}
}

// matrix splits x into rows.
func matrix(x []float64, width int) [][]float64 { return slices.Collect(slices.Chunk(x, width)) }

// classMean returns the mean of the rows of a class.
func classMean(rows [][]float64, labels []uint8, class uint8) []float64 {
	mean, count := make([]float64, len(rows[0])), 0.0
	for i, y := range labels {
		if y == class {
			count++
			for k, v := range rows[i] {
				mean[k] += v
			}
		}
	}
	for k := range mean {
		mean[k] /= count
	}
	return mean
}

// plainHyper computes Eqs. 9 to 11.
func plainHyper(t *testing.T, h *ops.Hypernetwork, rows [][]float64, labels []uint8, query []float64) []float64 {
	t.Helper()
	var hidden [][]float64
	for i, row := range rows {
		y := float64(labels[i])
		hidden = append(hidden, plainMLP(t, h.Molecule, slices.Concat(row, []float64{1 - y, y})))
	}
	r := slices.Concat(classMean(hidden, labels, 0), classMean(hidden, labels, 1))
	return plainMLP(t, h.Last, append(plainMLP(t, h.Means, r), query...))
}

// classifierOf returns the weights of Eqs. 16 to 19 of a model.
func classifierOf(m *model.Model) (c ops.Classifier) {
	named := map[string]*ts.Tensor{}
	for _, p := range m.Parameters() {
		named[p.Name] = p.Tensor
	}
	mlp := func(name string) (layers []ops.Linear) {
		for i, follow := range []ops.Follow{ops.Leaky, ops.Leaky | ops.Residual, ops.Leaky | ops.Residual, 0} {
			layer := fmt.Sprintf("%s.%d.", name, i)
			layers = append(layers, ops.Linear{W: named[layer+"weight"], B: named[layer+"bias"], Follow: follow})
		}
		return layers
	}
	for _, name := range []string{"classifier.", "classifier.inactive.", "classifier.active."} {
		if named[name+"w.0.weight"] != nil {
			c.W, c.B = append(c.W, mlp(name+"w")), append(c.B, mlp(name+"b"))
		}
	}
	return c
}

// plainLogits computes Eqs. 16 to 20.
func plainLogits(t *testing.T, c ops.Classifier, nodes [][]float64, labels []uint8) (logits []float64) {
	t.Helper()
	query := nodes[len(labels)]
	for class := range uint8(2) {
		prototype, set := classMean(nodes, labels, class), int(class)*(len(c.W)-1)
		logit := plainMLP(t, c.B[set], prototype)[0]
		for k, w := range plainMLP(t, c.W[set], prototype) {
			logit += w * query[k]
		}
		logits = append(logits, logit)
	}
	return logits
}

// plainMLP computes y = LeakyReLU(W x + b) for each layer, plus x if the layer is residual.
func plainMLP(t *testing.T, layers []ops.Linear, x []float64) []float64 {
	t.Helper()
	for i, l := range layers {
		w, err := ops.ReadAs[float64](l.W)
		if err != nil {
			t.Fatal(err)
		}
		y, err := ops.ReadAs[float64](l.B)
		if err != nil {
			t.Fatal(err)
		}
		if len(w) != len(x)*len(y) {
			t.Fatalf("layer %d has %d inputs, got %d", i, len(w)/len(y), len(x))
		}
		for o := range y {
			for k, v := range x {
				y[o] += w[o*len(x)+k] * v
			}
			if l.Follow&ops.Leaky != 0 && y[o] < 0 {
				y[o] *= 0.01
			}
			if l.Follow&ops.Residual != 0 {
				y[o] += x[o]
			}
		}
		x = y
	}
	return x
}
