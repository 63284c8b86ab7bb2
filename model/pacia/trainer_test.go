package pacia

import (
	"math"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/modeltest"
	"pacia/ops"
)

// publishedSteps are losses and norms of the gradient, before it is clipped, of eight steps of the published trainer (get_loss and
// train_step of chem_lib/models/trainer.py, --mod 16) in float64 by PyTorch 2.0.1, on the fixture's episode from its
// parameters. They have the trainer's AdamW (rate 0.0006, weight decay 0.00005, norm clipped to 1) and no dropout.
var publishedSteps = []struct{ loss, norm float64 }{
	{10.324280526875027, 60.802865500230546},
	{10.291138859620759, 51.60322481189781},
	{9.295882407193147, 38.28014086468908},
	{7.837282297684017, 18.765186618683693},
	{7.132656293273392, 15.693775390153963},
	{6.458675060037898, 14.786313645430996},
	{5.560592171927496, 14.416178515903763},
	{5.181349224060033, 28.24034248825468},
}

// TestPublishedTrainer compares the steps of a training with the published trainer's.
func TestPublishedTrainer(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	f := readFixture(t)
	m := referenceModel(t, f, true, func(c *config) { c.DepthLoss = "uniform" }).model
	var parameters []*ts.Tensor
	for _, p := range m.Parameters() {
		parameters = append(parameters, p.Tensor)
	}
	adam, err := ops.NewAdam(parameters, ops.AdamOptions{LR: 0.0006, WeightDecay: 0.00005, ClipNorm: 1, Decoupled: true})
	if err != nil {
		t.Fatal(err)
	}
	defer adam.Drop()
	batch := modeltest.Readable(m, assembled(t, f))
	for i, want := range publishedSteps {
		loss, err := m.Backward(batch, 0)
		if err != nil {
			t.Fatal(err)
		}
		norm, err := adam.Step()
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(loss/want.loss - 1); off > 1e-10 {
			t.Errorf("step %d: the loss is %v, want %v", i+1, loss, want.loss)
		}
		if off := math.Abs(norm/want.norm - 1); off > 1e-10 {
			t.Errorf("step %d: the gradient's norm is %v, want %v", i+1, norm, want.norm)
		}
	}
}
