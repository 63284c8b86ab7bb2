package forest

import (
	"cmp"
	"math"
	"slices"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/internal/each"
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

// Check returns nil.
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
	fit   *potency.Plain // of measured values; nil: the forest learnt labels
}

func (m *method) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	molecules, labels := m.Support(support, s)
	values := support.Host.SupportValue
	var left *leftOut // for the intervals of values; nil for labels
	if len(values) > 0 {
		left = new(leftOut)
	}
	t := &task{method: m, trees: grow(molecules, targetsOf(labels, values), molecule.FingerprintLength, m.Trees, m.Set.Seed, left)}
	if left != nil {
		t.fit = potency.NewPlain(values, labels, left.missed())
	}
	return t
}

// targetsOf returns 0 for inactive and 1 for active, or the values if there are any.
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

// Score returns the logits of the shares of actives, which are infinite if all leaves agree, or
// logits derived from the predicted values.
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	row := make([]uint16, molecule.FingerprintLength) // counts by bit, all 0 between molecules
	var values []float64
	scores := t.Each(queries, s, func(v counts.Vector) (inactive, active float64) {
		mean := 0.0
		withRow(row, v, func() {
			for _, tree := range t.trees {
				mean += tree.value(row)
			}
		})
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

// streamTree is the stream of random numbers of a forest, by tree, so that a larger
// forest begins with the trees of a smaller one.
const streamTree = "tree of a random forest"

// grow grows trees from support molecules and their targets. left, unless nil, receives the
// predictions of each tree for its out-of-bag molecules.
func grow(molecules []counts.Vector, targets []float64, bits, trees int, seed uint64, left *leftOut) []tree {
	// Draws must not depend on the order of the support set.
	order := each.Order[int](len(molecules))
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(targets[i], targets[j]), molecules[i].Compare(molecules[j]))
	})
	sorted, sortedTargets := make([]counts.Vector, len(order)), make([]float64, len(order))
	for i, at := range order {
		sorted[i], sortedTargets[i] = molecules[at], targets[at]
	}
	g := newGrower(sorted, sortedTargets, bits)
	all := make([]tree, trees)
	for k := range all {
		all[k] = g.tree(data.Rand(seed, streamTree, uint64(k)))
		if left != nil {
			left.add(g, sorted, all[k])
		}
	}
	return all
}

// withRow calls use while row has the counts of a molecule, by bit. row is 0 before and after.
func withRow(row []uint16, v counts.Vector, use func()) {
	for k, bit := range v.Bit {
		row[bit] = v.Count[k]
	}
	use()
	for _, bit := range v.Bit {
		row[bit] = 0
	}
}

// leftOut holds the predictions of trees for their out-of-bag molecules.
type leftOut struct {
	targets   []float64 // [N] of the molecules
	predicted []sum     // [N] over the trees for which a molecule was not drawn
	row       []uint16
}

// add adds the predictions of t, the last tree of the grower.
func (l *leftOut) add(g *grower, molecules []counts.Vector, t tree) {
	if l.predicted == nil {
		l.targets, l.predicted, l.row = g.target, make([]sum, len(molecules)), make([]uint16, len(g.bits))
	}
	for i, v := range molecules {
		if g.weight[i] == 0 {
			withRow(l.row, v, func() { l.predicted[i] = l.predicted[i].and(sum{1, t.value(l.row)}) })
		}
	}
}

// missed returns the errors of the predictions, without molecules that were drawn for all trees.
func (l *leftOut) missed() (all []float64) {
	for i, s := range l.predicted {
		if s.n > 0 {
			all = append(all, math.Abs(l.targets[i]-s.target/float64(s.n)))
		}
	}
	return all
}
