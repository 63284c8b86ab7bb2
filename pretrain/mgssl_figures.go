package pretrain

import (
	"math"
	"slices"

	"pacia/internal/each"
)

func (q *growth) tallies(logits [][]float64) (list []tally) {
	if len(q.asked) > 0 {
		kinds := tally{name: "motifs", over: q.molecules}
		for i, loss := range logits[0] {
			kinds.loss += loss
			kinds.asked++
			if int64(logits[1][i]) == q.kinds[i] {
				kinds.right++
			}
		}
		list, logits = append(list, kinds), logits[2:]
	}
	if len(q.at) > 0 {
		choices := tally{name: "topology", over: q.molecules}
		choices.scores(logits[0], q.more)
		list = append(list, choices)
	}
	return list
}

// without returns the figures of answers with the frequencies of kinds, and of steps to a child, in
// the molecules to learn from, with one added to each count.
func (t *mgssl) without(learn []int32, asked []question) Figures {
	kinds, steps, all := ones(int(t.stop)+1), ones(2), 0.0
	for _, row := range learn {
		_, w := t.walkOf(row)
		for _, m := range w.messages {
			if m.asks != none {
				kinds[m.asks]++
			}
		}
		for _, c := range w.choices {
			if c.more {
				steps[1]++
			} else {
				steps[0]++
			}
		}
	}
	for _, n := range kinds {
		all += n
	}
	commonest := int64(slices.Index(kinds, slices.Max(kinds)))
	var list []tally
	for _, q := range asked {
		g := q.(*growth)
		motifs, topology := tally{name: "motifs", over: g.molecules}, tally{name: "topology", over: g.molecules}
		for _, k := range g.kinds {
			motifs.loss -= math.Log(kinds[k] / all)
			motifs.asked++
			if k == commonest {
				motifs.right++
			}
		}
		for i := range g.more {
			topology.scores([]float64{math.Log(steps[1] / steps[0])}, g.more[i:i+1])
		}
		list = append(list, motifs, topology)
	}
	return figures(list...)
}

// usable returns the molecules that RDKit could split into motifs.
func (t *mgssl) usable(rows []int32) (some []int32) {
	return each.If(rows, func(row int32) bool { return len(t.motifs.tree(row).kinds) > 0 })
}

func (t *mgssl) lack() (what, fix string) {
	return "such that RDKit does not take them apart", "give others, or another --task"
}

// vocabulary counts the kinds of motifs that are distinguished.
func (t *mgssl) vocabulary() *Vocabulary {
	v := &Vocabulary{Kinds: len(t.motifs.Names), Distinguished: int(t.common)}
	rare, all := 0, 0
	for i, n := range t.motifs.Counts {
		if all += n; i >= v.Distinguished {
			rare += n
		}
	}
	v.RareMotifs = float64(rare) / float64(max(all, 1))
	return v
}

// Vocabulary describes the kinds of motifs that are distinguished.
type Vocabulary struct {
	Kinds         int     `json:"kinds"`       // of motifs
	Distinguished int     `json:"told"`        // kinds that are distinguished, with --rare
	RareMotifs    float64 `json:"rare_motifs"` // share of the motifs of other kinds
}

// A withVocabulary is a task with a vocabulary of motifs.
type withVocabulary interface{ vocabulary() *Vocabulary }

func (r *run) vocabulary() *Vocabulary {
	if t, ok := r.network.task.(withVocabulary); ok {
		return t.vocabulary()
	}
	return nil
}
