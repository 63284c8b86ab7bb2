package pretrain

import (
	"math"
	"math/rand/v2"

	"github.com/sugarme/gotch/ts"

	"pacia/internal/each"
	"pacia/ops"
)

// Legend: n molecules, T assays, K known labels of a batch, d width.

// supervised predicts the labels of molecules in assays: z = W g + b, with a row of W
// [T, d] for each assay, and g the mean of h over the atoms. The loss is the mean
// binary cross entropy of the known labels (Hu et al., the second stage).
type supervised struct {
	body
	labels *labels
	head   ops.Linear
}

func newSupervised(b body, l *Library) (*supervised, error) {
	b.set.Part("head")
	t := &supervised{body: b, labels: l.labels}
	t.head = b.set.Linear("head.assays", b.encoder.Width(), len(l.labels.assays), true, 0)
	return t, b.set.Err()
}

// measured is a batch of molecules with labels.
type measured struct {
	task     *supervised
	batch    batch
	molecule []int32   // [K]
	assay    []int32   // [K]
	active   []float64 // [K]
}

func (t *supervised) ask(rows []int32, _ func(row int32) *rand.Rand) question {
	q := &measured{task: t, batch: newBatch()}
	for i, row := range rows {
		q.batch.add(t.store.Graph(int(row)), all)
		for _, m := range t.labels.of(row) {
			q.molecule, q.assay, q.active = append(q.molecule, int32(i)), append(q.assay, m.assay), append(q.active, float64(m.active))
		}
	}
	return q
}

// gatherCost is the cost of a multiplication with gathered rows, which come from memory,
// relative to one in a matrix product.
const gatherCost = 16

// gathers reports whether it is cheaper to gather the K rows of W than to compute the
// scores of all molecules in all assays.
func (q *measured) gathers() bool {
	molecules := len(q.batch.MolPtr) - 1
	return gatherCost*len(q.assay) < molecules*len(q.task.labels.assays)
}

func (q *measured) answer(m ops.Mode) (*answer, error) {
	t := q.task
	return answering(func(a *answer, s *ops.Scope) {
		g := t.means(t.embed(&q.batch, m, s), q.batch.MolPtr, s)
		scores := q.scores(g, q.gathers(), s)
		a.loss, a.logits = t.binary(scores, q.active, s), []*ts.Tensor{scores}
	})
}

// scores returns the scores [K] of the known labels alone.
func (q *measured) scores(g *ts.Tensor, gather bool, s *ops.Scope) *ts.Tensor {
	t := q.task
	if gather {
		z := dots(t.rows(g, q.molecule, s), t.rows(t.head.W, q.assay, s), s)
		b := t.rows(t.head.B, q.assay, s)
		return s.Call("sum", func() (*ts.Tensor, error) { return z.Add(b, false) })
	}
	z := s.View(linear(g, s, t.head), -1)
	at, assays := make([]int32, len(q.assay)), int32(len(t.labels.assays))
	for i, molecule := range q.molecule {
		at[i] = molecule*assays + q.assay[i]
	}
	return t.rows(z, at, s)
}

func (q *measured) tallies(logits [][]float64) []tally {
	t := tally{name: "labels"}
	t.scores(logits[0], q.active)
	return []tally{t}
}

// without returns the figures of answers with the share of actives in each assay among the
// molecules to learn from, with one added to the count of each class.
func (t *supervised) without(learn []int32, asked []question) Figures {
	active, inactive := ones(len(t.labels.assays)), ones(len(t.labels.assays))
	for _, row := range learn {
		for _, m := range t.labels.of(row) {
			if m.active == 1 {
				active[m.assay]++
			} else {
				inactive[m.assay]++
			}
		}
	}
	shares := tally{name: "labels"}
	for _, q := range asked {
		m := q.(*measured)
		for i, assay := range m.assay {
			shares.scores([]float64{math.Log(active[assay] / inactive[assay])}, m.active[i:i+1])
		}
	}
	return figures(shares)
}

func (t *supervised) usable(rows []int32) (some []int32) {
	return each.If(rows, func(row int32) bool { return len(t.labels.of(row)) > 0 })
}

func (t *supervised) lack() (what, fix string) {
	return "without a label", "give more that have one, or another --task"
}
