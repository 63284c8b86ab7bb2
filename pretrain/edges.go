package pretrain

import (
	"math"
	"math/rand/v2"

	"github.com/sugarme/gotch/ts"

	"pacia/data/molecule"
	"pacia/ops"
)

// Legend: A atoms, E bonds.

// edges predicts whether pairs of atoms are bonded, with the score h_u·h_v. The pairs of a
// molecule are all its bonds, and as many pairs without a bond. The loss is the sum of the
// two mean binary cross entropies (Hu et al., edge prediction).
type edges struct{ body }

// tries is the number of draws to find a pair of atoms without a bond, as published.
const tries = 10

// bonded is a batch of pairs.
type bonded struct {
	task  *edges
	batch batch
	bonds atomPairs
	other atomPairs
}

// atomPairs are pairs of atoms of a batch.
type atomPairs struct{ u, v []int32 }

func (p *atomPairs) add(u, v int32) { p.u, p.v = append(p.u, u), append(p.v, v) }

func (t *edges) ask(rows []int32, random func(row int32) *rand.Rand) question {
	q := &bonded{task: t, batch: newBatch()}
	for _, row := range rows {
		q.add(t.store.Graph(int(row)), random(row))
	}
	if len(q.bonds.u) == 0 || len(q.other.u) == 0 {
		return nil
	}
	return q
}

func (q *bonded) add(g molecule.Graph, random *rand.Rand) {
	type pair struct{ u, v int }
	first, n := q.batch.atoms(), g.Len()
	taken := map[pair]bool{}
	q.batch.add(g, all)
	for v := range n {
		for _, u := range g.Col[g.RowPtr[v]:g.RowPtr[v+1]] {
			taken[pair{int(u), v}] = true
			if int(u) < v {
				q.bonds.add(first+int32(u), first+int32(v))
			}
		}
	}
	bonds := g.Edges() / 2
	for found, drawn := 0, 0; found < bonds && drawn < tries*bonds; drawn++ {
		p := pair{random.IntN(n), random.IntN(n)}
		if p.u == p.v || taken[p] {
			continue
		}
		taken[p] = true
		q.other.add(first+int32(p.u), first+int32(p.v))
		found++
	}
}

func (q *bonded) answer(m ops.Mode) (*answer, error) {
	t := q.task
	return answering(func(a *answer, s *ops.Scope) {
		h := t.embed(&q.batch, m, s)
		yes := dots(t.rows(h, q.bonds.u, s), t.rows(h, q.bonds.v, s), s)
		no := dots(t.rows(h, q.other.u, s), t.rows(h, q.other.v, s), s)
		a.loss = t.bothWays(yes, no, s)
		a.logits = []*ts.Tensor{yes, no}
	})
}

// bothWays returns the sum of the mean binary cross entropies of the scores of bonded pairs and
// of other pairs.
func (b *body) bothWays(yes, no *ts.Tensor, s *ops.Scope) *ts.Tensor {
	n := func(x *ts.Tensor) int { return int(x.MustSize()[0]) }
	return s.Keep(b.binary(yes, ones(n(yes)), s).Add(b.binary(no, make([]float64, n(no)), s), false))
}

func (q *bonded) tallies(logits [][]float64) []tally { return yesAndNo("bonds", "other pairs", logits) }

// yesAndNo compares scores of bonded pairs and of other pairs.
func yesAndNo(yes, no string, logits [][]float64) []tally {
	list := []tally{{name: yes}, {name: no}}
	list[0].scores(logits[0], ones(len(logits[0])))
	list[1].scores(logits[1], make([]float64, len(logits[1])))
	return list
}

// without returns the figures of random answers. Half of them are right.
func (t *edges) without(_ []int32, asked []question) Figures {
	yes, no := 0, 0
	for _, q := range asked {
		b := q.(*bonded)
		yes, no = yes+len(b.bonds.u), no+len(b.other.u)
	}
	return figures(guessed("bonds", yes), guessed("other pairs", no))
}

// guessed returns the tally of n random yes-or-no answers.
func guessed(name string, n int) tally {
	return tally{name: name, asked: n, right: n / 2, loss: float64(n) * math.Ln2}
}

// usable returns the molecules with a bond and with a pair of atoms without a bond.
func (t *edges) usable(rows []int32) (some []int32) {
	for _, row := range rows {
		g := t.store.Graph(int(row))
		if n := g.Len(); g.Edges() > 0 && g.Edges() < n*(n-1) {
			some = append(some, row)
		}
	}
	return some
}

func (t *edges) lack() (what, fix string) {
	return "too small to have atoms with and without a bond between them", "give larger ones, or another --task"
}
