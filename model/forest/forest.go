package forest

import (
	"cmp"
	"math"
	"slices"

	"pacia/data"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/model/shared/potency"
	"pacia/ops"
)

// Spec is the random forest's line in the table of methods.
var Spec = model.Spec{
	Name: "forest", Title: "Random forest",
	Source:   "Breiman: Random Forests, Machine Learning 45, 2001, as in scikit-learn",
	Traits:   counts.Measures,
	Settings: func(string) model.Settings { return Settings{Trees: 100} },
	New: func(b *model.Body, c model.Config, _ []int) (model.Method, error) {
		return &method{counts.Untrained{Body: b}, c.Own.(Settings)}, nil
	},
}

// Settings are the method's own.
type Settings struct {
	Trees int `yaml:"trees" range:"1 100000" doc:"trees of the random forest"`
}

// Check has nothing to say.
func (Settings) Check(model.Config) error { return nil }

// method grows a forest for every task.
type method struct {
	counts.Untrained
	Settings
}

// task is the forest of a support set.
type task struct {
	*method
	trees []tree
	fit   *potency.Plain // of measured values; nil: labels are learnt
}

func (m *method) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	molecules, labels := m.Support(support, s)
	values := support.Host.SupportValue
	f := grow(molecules, targetsOf(labels, values), data.FingerprintLength, m.Trees, m.Set.Seed)
	t := &task{method: m, trees: f.trees}
	if len(values) > 0 {
		t.fit = potency.NewPlain(values, labels, f.missed)
	}
	return t
}

// targetsOf are 0 for inactive and 1 for active, or the values where there are some.
func targetsOf(labels []uint8, values []data.Measured) []float64 {
	all := make([]float64, len(labels))
	for i, label := range labels {
		all[i] = float64(label)
		if len(values) > 0 {
			all[i] = values[i].Value
		}
	}
	return all
}

// Score gives molecules the logits of their shares of actives, which are infinite where all
// leaves agree; or those by predicted values.
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	row := make([]uint16, data.FingerprintLength) // counts by bit, all 0 between molecules
	var values []float64
	scores := t.Each(queries, s, func(v counts.Vector) (inactive, active float64) {
		for k, bit := range v.Bit {
			row[bit] = v.Count[k]
		}
		mean := 0.0
		for _, tree := range t.trees {
			mean += tree.value(row)
		}
		for _, bit := range v.Bit {
			row[bit] = 0
		}
		mean /= float64(len(t.trees))
		if t.fit != nil {
			values = append(values, mean)
			return 0, t.fit.Logit(mean)
		}
		return math.Log1p(-mean), math.Log(mean)
	})
	if t.fit != nil {
		scores.Potency = t.fit.All(values)
	}
	return scores
}

// streamTree is the stream of random numbers of a forest, by tree, so that the
// first trees of a larger one are the same.
const streamTree = "tree of a random forest"

// forest is what is grown of a support set.
type forest struct {
	trees  []tree
	missed []float64 // by how much the trees for which a molecule was not drawn miss its target; without those that all were drawn for
}

// grow makes a forest of support molecules and their targets.
func grow(molecules []counts.Vector, targets []float64, bits, trees int, seed uint64) forest {
	// A support set is a set: what is drawn of it must not depend on its order.
	order := make([]int, len(molecules))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(targets[i], targets[j]), molecules[i].Compare(molecules[j]))
	})
	sorted, sortedTargets := make([]counts.Vector, len(order)), make([]float64, len(order))
	for i, at := range order {
		sorted[i], sortedTargets[i] = molecules[at], targets[at]
	}
	g := newGrower(sorted, sortedTargets, bits)
	f := forest{trees: make([]tree, trees)}
	out := make([]sum, len(order)) // of the trees for which a molecule was not drawn
	row := make([]uint16, bits)
	for k := range f.trees {
		f.trees[k] = g.tree(data.Rand(seed, streamTree, uint64(k)))
		for i, v := range sorted {
			if g.weight[i] > 0 {
				continue
			}
			for b, bit := range v.Bit {
				row[bit] = v.Count[b]
			}
			out[i] = out[i].and(sum{1, f.trees[k].value(row)})
			for _, bit := range v.Bit {
				row[bit] = 0
			}
		}
	}
	for i, s := range out {
		if s.n > 0 {
			f.missed = append(f.missed, math.Abs(sortedTargets[i]-s.target/float64(s.n)))
		}
	}
	return f
}
