package pretrain

import (
	"math/rand/v2"

	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Legend: A atoms, n molecules, d width.

// infomax predicts whether an atom belongs to a molecule, with the score h_v·(W s), s = σ(g)
// and g the mean of h over the molecule's atoms. Each atom is paired with its own molecule
// and with the next one of the batch. The loss is the sum of the two mean binary cross
// entropies (Hu et al., after Veličković et al. 2019).
type infomax struct {
	body
	w ops.Linear // [d, d], no bias
}

func newInfomax(b body) (*infomax, error) {
	b.set.Part("head")
	return &infomax{b, b.set.Linear("head.discriminator", b.encoder.Width(), b.encoder.Width(), false, 0)}, b.set.Err()
}

// members is a batch of molecules.
type members struct {
	task     *infomax
	batch    batch
	molecule []int32 // [A] molecule of each atom
	next     []int32 // [A] next molecule; the first one for the last
}

func (t *infomax) ask(rows []int32, _ func(row int32) *rand.Rand) question {
	if len(rows) < 2 { // no other molecule
		return nil
	}
	q := &members{task: t, batch: newBatch()}
	for i, row := range rows {
		g := t.store.Graph(int(row))
		q.batch.add(g, all)
		for range g.Len() {
			q.molecule, q.next = append(q.molecule, int32(i)), append(q.next, int32((i+1)%len(rows)))
		}
	}
	return q
}

func (q *members) answer(m ops.Mode) (*answer, error) {
	t := q.task
	return answering(func(a *answer, s *ops.Scope) {
		h := t.embed(&q.batch, m, s)
		summary := s.Keep(t.means(h, q.batch.MolPtr, s).Sigmoid(false))
		asked := linear(summary, s, t.w)
		yes, no := dots(h, t.rows(asked, q.molecule, s), s), dots(h, t.rows(asked, q.next, s), s)
		a.loss, a.logits = t.bothWays(yes, no, s), []*ts.Tensor{yes, no}
	})
}

func (q *members) tallies(logits [][]float64) []tally {
	return yesAndNo("own molecules", "others", logits)
}

// without returns the figures of random answers. Half of them are right.
func (t *infomax) without(_ []int32, asked []question) Figures {
	n := 0
	for _, q := range asked {
		n += len(q.(*members).molecule)
	}
	return figures(guessed("own molecules", n), guessed("others", n))
}
