package forest

import (
	"cmp"
	"math"
	"slices"

	"pacia/data"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/ops"
)

// Spec is the random forest's line in the table of methods.
var Spec = model.Spec{
	Name: "forest", Title: "Random forest",
	Source:   "Breiman: Random Forests, Machine Learning 45, 2001, as in scikit-learn",
	Traits:   counts.Traits,
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
}

func (m *method) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	molecules, labels := m.Support(support, s)
	return &task{m, grow(molecules, labels, data.FingerprintLength, m.Trees, m.Set.Seed)}
}

// Score gives molecules the logits of their shares, which are infinite where all
// leaves agree.
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	row := make([]uint16, data.FingerprintLength) // counts by bit, all 0 between molecules
	return t.Each(queries, s, func(v counts.Vector) (inactive, active float64) {
		for k, bit := range v.Bit {
			row[bit] = v.Count[k]
		}
		share := 0.0
		for _, tree := range t.trees {
			share += tree.share(row)
		}
		for _, bit := range v.Bit {
			row[bit] = 0
		}
		share /= float64(len(t.trees))
		return math.Log1p(-share), math.Log(share)
	})
}

// streamTree is the stream of random numbers of a forest, by tree, so that the
// first trees of a larger one are the same.
const streamTree = "tree of a random forest"

// grow makes a forest of support molecules and their labels.
func grow(molecules []counts.Vector, labels []uint8, bits, trees int, seed uint64) []tree {
	// A support set is a set: what is drawn of it must not depend on its order.
	order := make([]int, len(molecules))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(labels[i], labels[j]), molecules[i].Compare(molecules[j]))
	})
	sorted, sortedLabels := make([]counts.Vector, len(order)), make([]uint8, len(order))
	for i, at := range order {
		sorted[i], sortedLabels[i] = molecules[at], labels[at]
	}
	g := newGrower(sorted, sortedLabels, bits)
	forest := make([]tree, trees)
	for k := range forest {
		forest[k] = g.tree(data.Rand(seed, streamTree, uint64(k)))
	}
	return forest
}
