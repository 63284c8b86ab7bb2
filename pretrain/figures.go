package pretrain

import (
	"cmp"
	"math"
)

// Figures report how well questions were answered.
type Figures struct {
	Loss  float64 `json:"loss"` // the sum of the parts' losses, with their weights
	Parts []Part  `json:"parts"`
}

// Part holds the figures of one kind of questions, such as the elements of atoms,
// the types of bonds, or the contexts.
type Part struct {
	Name     string  `json:"name"`
	Asked    int     `json:"asked"`
	Accuracy float64 `json:"accuracy"`
	Loss     float64 `json:"loss"` // mean cross entropy, in nats
}

// A tally counts answers of one kind.
type tally struct {
	name         string
	asked, right int
	loss         float64 // their sum
	weight       float64 // of the part in the loss; 0: 1
	over         int     // divisor of the sum in the loss; 0: asked
}

// classes adds the answers logits [len(labels), n] to questions with n choices.
func (t *tally) classes(logits []float64, labels []int64) {
	if len(labels) == 0 {
		return
	}
	n := len(logits) / len(labels)
	for i, label := range labels {
		row := logits[i*n : (i+1)*n]
		best, largest := 0, math.Inf(-1)
		for c, x := range row {
			if x > largest {
				best, largest = c, x
			}
		}
		sum := 0.0
		for _, x := range row {
			sum += math.Exp(x - largest)
		}
		t.loss += largest + math.Log(sum) - row[label]
		t.asked++
		if int64(best) == label {
			t.right++
		}
	}
}

// scores adds answers to yes (1) or no (0) questions. A score above 0 means yes.
func (t *tally) scores(scores, labels []float64) {
	for i, x := range scores {
		if labels[i] == 0 {
			x = -x
		}
		t.loss += math.Log1p(math.Exp(-math.Abs(x))) + max(-x, 0)
		t.asked++
		if x > 0 {
			t.right++
		}
	}
}

// figures sums up tallies, with one part for each kind.
func figures(tallies ...tally) Figures {
	var f Figures
	var kinds []tally
next:
	for _, t := range tallies {
		for i := range kinds {
			if k := &kinds[i]; k.name == t.name {
				k.asked, k.right, k.loss, k.over = k.asked+t.asked, k.right+t.right, k.loss+t.loss, k.over+t.over
				continue next
			}
		}
		kinds = append(kinds, t)
	}
	for _, k := range kinds {
		if k.asked == 0 {
			continue
		}
		n := float64(k.asked)
		f.Parts = append(f.Parts, Part{Name: k.name, Asked: k.asked, Accuracy: float64(k.right) / n, Loss: k.loss / n})
		f.Loss += cmp.Or(k.weight, 1) * k.loss / float64(cmp.Or(k.over, k.asked))
	}
	return f
}
