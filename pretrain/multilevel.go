package pretrain

import (
	"math/rand/v2"

	"pacia/ops"
)

// multiLevel is the complete method of Zhang et al. (2021): motifs, and hidden atoms and bonds, in
// two passes of the encoder, one of them over the unchanged molecules. The three losses are added.
// The paper weights them by their gradients (Frank-Wolfe), and the published program has motifs
// alone.
type multiLevel struct {
	*mgssl
	masking *masking
}

func newMultiLevel(o Options, b body, l *Library) (*multiLevel, error) {
	motifs, err := newMGSSL(o, b, l)
	if err != nil {
		return nil, err
	}
	o.Bonds = true
	masking, err := newMasking(o, b)
	return &multiLevel{motifs, masking}, err
}

// bothLevels is a batch of molecules, unchanged and with hidden atoms and bonds.
type bothLevels struct {
	motifs, hidden question
	split          int // number of answers about motifs
}

func (t *multiLevel) ask(rows []int32, random func(row int32) *rand.Rand) question {
	return &bothLevels{motifs: t.mgssl.ask(rows, random), hidden: t.masking.ask(rows, random)}
}

func (q *bothLevels) answer(m ops.Mode) (*answer, error) {
	return answering(func(a *answer, s *ops.Scope) {
		motifs := ops.Try(q.motifs.answer(m)).In(s)
		s.Own(motifs.drop)
		hidden := ops.Try(q.hidden.answer(m.Site(siteHidden))).In(s)
		s.Own(hidden.drop)
		a.loss = s.Keep(motifs.loss.Add(hidden.loss, false))
		q.split = len(motifs.logits)
		a.logits = append(append(a.logits, motifs.logits...), hidden.logits...)
	})
}

func (q *bothLevels) tallies(logits [][]float64) []tally {
	return append(q.motifs.tallies(logits[:q.split]), q.hidden.tallies(logits[q.split:])...)
}

func (t *multiLevel) without(learn []int32, asked []question) Figures {
	var motifs, hidden []question
	for _, q := range asked {
		both := q.(*bothLevels)
		motifs, hidden = append(motifs, both.motifs), append(hidden, both.hidden)
	}
	f, more := t.mgssl.without(learn, motifs), t.masking.without(learn, hidden)
	return Figures{Loss: f.Loss + more.Loss, Parts: append(f.Parts, more.Parts...)}
}
