package pretrain

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"pacia/internal/each"
)

// Legend: N motifs, T messages, P predicted motifs, C choices.

// growth is a batch of trees to generate.
type growth struct {
	task      *mgssl
	batch     batch
	molecules int

	atoms []int32   // atoms in the batch, motif after motif
	ptr   []int32   // [N+1] offsets of the motifs in atoms
	size  []float64 // [N]

	from  []int32 // [T] motif of each message, wave after wave
	waves []wave
	asked []int32 // [P] messages that predict a motif, counted from 1
	kinds []int64 // [P]

	at    []int32   // [C] motifs
	heard hearers   // [C] messages that these received
	more  []float64 // [C] 1: to a child
}

// wave holds messages that do not depend on each other.
type wave struct {
	n     int
	heard hearers // [n]
}

// hearers holds n lists of messages, counted from 1 and padded with 0.
type hearers struct {
	n, width int
	messages []int32 // [n, width]
}

func newHearers(lists [][]int32) (t hearers) {
	t.n = len(lists)
	for _, l := range lists {
		t.width = max(t.width, len(l))
	}
	t.messages = make([]int32, t.n*t.width)
	for i, l := range lists {
		copy(t.messages[i*t.width:], l)
	}
	return t
}

func (t *mgssl) walkOf(row int32) (tree, walk) {
	tree := t.motifs.tree(row)
	kinds := each.Of(tree.kinds, func(k int32) int32 { return min(k, t.common) })
	tree.kinds = kinds
	return tree, walkOf(tree, t.depthFirst, t.stop)
}

func (t *mgssl) ask(rows []int32, _ func(row int32) *rand.Rand) question {
	q := &growth{task: t, batch: newBatch(), molecules: len(rows), ptr: []int32{0}}
	var joined walk
	var levels []int
	for _, row := range rows {
		atom, motif, sent := q.batch.atoms(), int32(len(q.ptr)-1), int32(len(joined.messages))
		q.batch.add(t.store.Graph(int(row)), all)
		tree, w := t.walkOf(row)
		for _, atoms := range tree.atoms {
			for _, a := range atoms {
				q.atoms = append(q.atoms, atom+a)
			}
			q.ptr, q.size = append(q.ptr, int32(len(q.atoms))), append(q.size, float64(len(atoms)))
		}
		levels = append(levels, w.levels()...)
		for _, m := range w.messages {
			joined.messages = append(joined.messages, message{motif + m.from, shifted(m.uses, sent), m.asks})
		}
		for _, c := range w.choices {
			joined.choices = append(joined.choices, choice{motif + c.at, shifted(c.uses, sent), c.more})
		}
	}
	q.order(joined, levels)
	return q
}

func shifted(list []int32, by int32) []int32 {
	return each.Of(list, func(v int32) int32 { return v + by })
}

// order groups the messages of all molecules by level.
func (q *growth) order(w walk, levels []int) {
	order := counting(len(levels))
	slices.SortStableFunc(order, func(i, j int32) int { return cmp.Compare(levels[i], levels[j]) })
	place := make([]int32, len(order))
	for i, k := range order {
		place[k] = int32(i + 1)
	}
	placed := func(list []int32) []int32 {
		return each.At(place, list)
	}
	for first := 0; first < len(order); {
		var lists [][]int32
		end := first
		for ; end < len(order) && levels[order[end]] == levels[order[first]]; end++ {
			m := w.messages[order[end]]
			q.from, lists = append(q.from, m.from), append(lists, placed(m.uses))
			if m.asks != none {
				q.asked, q.kinds = append(q.asked, int32(end+1)), append(q.kinds, int64(m.asks))
			}
		}
		q.waves = append(q.waves, wave{end - first, newHearers(lists)})
		first = end
	}
	var lists [][]int32
	for _, c := range w.choices {
		more := 0.0
		if c.more {
			more = 1
		}
		q.at, lists, q.more = append(q.at, c.at), append(lists, placed(c.uses)), append(q.more, more)
	}
	q.heard = newHearers(lists)
}
