package methods

import (
	"math"
	"strings"
	"testing"

	"pacia/data"
	"pacia/harness/modeltest"
	"pacia/model"
)

// TestEveryMethodTakesAtomsInSpace: the rows of the Molecule Attention Transformer are
// atoms and dummies. With it, gradients are the slope of the loss, and the score of a query
// does not depend on the other queries, though they then lie in other blocks.
func TestEveryMethodTakesAtomsInSpace(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store := modeltest.RandomStore(6, 40)
	b := modeltest.Joined(t, store, modeltest.Task(0, 3, 4), modeltest.Numbered(modeltest.Task(12, 3, 2), 1))
	for _, spec := range All {
		if spec.Traits.Fingerprints {
			continue // it reads no graphs
		}
		t.Run(spec.Name, func(t *testing.T) {
			modeltest.Locked(t, 1)
			c := narrowed(t, modeltest.Small(t, spec, model.Paper))
			c.Encoder, c.Heads = "mat", 2
			if err := c.Validate(); err != nil {
				t.Skip(err)
			}
			if own, ok := c.Own.(model.WithExactGradients); ok {
				c.Own = own.Exact()
			}
			m := made(t, spec, c)
			if !spec.Traits.Untrained {
				b := modeltest.Readable(m, b)
				_, grads := modeltest.Backward(t, m, b, 1)
				slope, difference := modeltest.Slope(t, m, data.Rand(1, "slope", 0), grads, b)
				if math.Abs(slope-difference) > 1e-6*(1+math.Abs(slope)) {
					t.Errorf("the gradients give the slope %v, differences %v", slope, difference)
				}
			}
			rows := []int32{20, 21, 22, 23, 24, 25, 26, 27, 28, 29}
			a := modeltest.Adapt(t, m, store, modeltest.Task(0, 3, 0))
			want, _ := modeltest.Scores(t, m, a, store, rows, len(rows))
			for _, size := range []int{1, 3} {
				got, _ := modeltest.Scores(t, m, a, store, rows, size)
				modeltest.Near(t, "P(active) in smaller batches", got, want, modeltest.Float32ULP)
			}
		})
	}
}

// TestAtomsInSpaceAreAsked: the heads must divide the width, other encoders have no heads, and
// an encoder refuses molecules that it cannot read.
func TestAtomsInSpaceAreAsked(t *testing.T) {
	modeltest.Locked(t, 1)
	spec, err := Find("proto")
	if err != nil {
		t.Fatal(err)
	}
	fails := func(err error, words string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("the error %v does not contain %q", err, words)
		}
	}
	c := modeltest.Small(t, spec, model.Paper)
	c.Heads = 2
	fails(c.Validate(), "model.heads: model.encoder=gin has none")
	c.Encoder, c.Width, c.Heads = "mat", 30, 0
	fails(c.Validate(), "model.width: 30 is not a multiple of the 16 heads of model.encoder=mat; write 32")
	c.Width, c.Heads = 6, 2
	support := modeltest.Support(t, modeltest.RandomStore(6, 40), modeltest.Task(0, 3, 0))
	_, err = made(t, spec, c).Adapt(support)
	fails(err, "mat reads atoms in space")
	c.Encoder, c.Heads = "gin", 0
	_, err = made(t, spec, c).Adapt(modeltest.Placed(support))
	fails(err, "gin reads graphs, and these molecules are atoms in space")
}
