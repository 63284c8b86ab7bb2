package single

import (
	"math"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/multitask"
)

// config returns the settings of a narrow model with an encoder, and a hidden layer if tail is not 0.
func config(t *testing.T, encoder string, tail int) model.Config {
	t.Helper()
	c := modeltest.Small(t, Spec, model.Paper)
	c.Encoder, c.Width, c.Own = encoder, 8, multitask.Settings{Tail: tail, EncoderRate: 0.5}
	if encoder == "mat" {
		c.Heads = 2
	}
	return c
}

// TestEveryEncoder: after some steps from the same initial weights, the model separates the
// support molecules, also with swapped labels.
func TestEveryEncoder(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store := modeltest.RandomStore(5, 30)
	for _, encoder := range []string{"gin", "pna", "mat", "fingerprint"} {
		for _, tail := range []int{0, 6} {
			t.Run(encoder, func(t *testing.T) {
				modeltest.Locked(t, 1)
				m := modeltest.New(t, Spec, config(t, encoder, tail), model.Options{})
				m.Tune(model.Tuning{Steps: 30, LearningRate: 0.03})
				e := modeltest.Task(0, 4, 0)
				rows := append([]int32(nil), e.Support...)
				right := func() (n int) {
					p, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, rows, 8)
					for i, row := range rows {
						for k, s := range e.Support {
							if s == row && (p[i] > 0.5) == (e.SupportLabels[k] == 1) {
								n++
							}
						}
					}
					return n
				}
				if n := right(); n < 7 {
					t.Errorf("tail %d: %d of 8 support molecules are classified correctly", tail, n)
				}
				e.Support = append(append([]int32(nil), rows[4:]...), rows[:4]...)
				if n := right(); n < 7 {
					t.Errorf("tail %d: with swapped labels, %d of 8 are", tail, n)
				}
			})
		}
	}
}

// TestWithoutSteps: without steps a model cannot score, and training is an error.
func TestWithoutSteps(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(5, 30)
	m := modeltest.New(t, Spec, config(t, "gin", 4), model.Options{})
	_, err := m.Adapt(modeltest.Support(t, store, modeltest.Task(0, 3, 0)))
	modeltest.Fails(t, err, "train.finetune.steps: 0", "write 1 or more")
	loss, err := m.Backward(modeltest.Joined(t, store, modeltest.Task(0, 3, 2)), 1)
	if modeltest.Fails(t, err, "the tasks have no classifiers"); loss != 0 || math.IsNaN(loss) {
		t.Errorf("a loss of %v without a classifier", loss)
	}
}
