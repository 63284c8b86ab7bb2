package pacia

import (
	"strings"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

var (
	readouts = []string{"mean", "sum", "max", "combined"}
	jumps    = []string{"last", "sum", "max", "concat"}
)

// TestEveryReadout takes a training step, adapts and scores with combinations of encoder,
// readout and jump, with and without shared rows.
func TestEveryReadout(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Locked(t, 1)
	x := modeltest.NewExercise(t, Spec)
	for i, encoder := range append([]string{"gin"}, others...) {
		for k, readout := range readouts {
			jump, preset := jumps[(i+k)%len(jumps)], []string{model.Paper, model.Reference}[(i/2+k/2)%2]
			c := small(t, preset).of(encoder)
			c.Readout, c.Jump = readout, jump
			exercise(t, x, strings.Join([]string{encoder, readout, jump}, "/"), c)
		}
	}
}

// TestReadoutOfMixture: if depth is adapted, any readout reads the mixture.
func TestReadoutOfMixture(t *testing.T) {
	modeltest.Locked(t, 1)
	x := modeltest.NewExercise(t, Spec)
	for _, readout := range readouts {
		c := small(t, model.Paper)
		c.Readout, c.Adapt.Encoder = readout, "ND"
		exercise(t, x, readout, c)
	}
}

// TestReadoutByHand computes other readouts from the mean of the atoms' states after
// FiLM. For a molecule of one atom, mean, sum and maximum are equal. The sum over
// layers of means is the mean of sums.
func TestReadoutByHand(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(30, 40)
	b := modeltest.Joined(t, store, modeltest.Task(0, 3, 6))
	vectors := func(readout, jump string, layers int) []float64 {
		c := small(t, model.Reference)
		c.Readout, c.Jump, c.Layers = readout, jump, layers
		_, stages := newProbe(t, c, true).pass(t, b, ops.Mode{})
		return stages.QueryMean
	}
	mean, sum := vectors("mean", "last", 2), vectors("sum", "last", 2)
	const d = 6
	for q, mol := range b.QueryMol {
		atoms := float64(b.MolPtr[mol+1] - b.MolPtr[mol])
		for i := range d {
			modeltest.Close(t, "a sum over atoms", []float64{sum[q*d+i]}, []float64{atoms * mean[q*d+i]}, modeltest.Rounding)
		}
	}
	all := vectors("mean", "concat", 2)
	total := vectors("mean", "sum", 2)
	for q := range b.QueryMol {
		for i := range d {
			of := func(layer int) float64 { return all[q*3*d+layer*d+i] }
			modeltest.Close(t, "the last of all layers", []float64{of(2)}, []float64{mean[q*d+i]}, modeltest.Rounding)
			modeltest.Close(t, "a sum over layers", []float64{total[q*d+i]}, []float64{of(0) + of(1) + of(2)}, modeltest.Rounding)
		}
	}
}

// TestReadoutsOnKernels compares with the loops, and a stepper's padded batches
// with unpadded ones, with the tolerance of TestEncodersOnKernels.
func TestReadoutsOnKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store := modeltest.RandomStore(3, 24)
	for i, readout := range readouts {
		c := small(t, model.Paper).of([]string{"gin", "pna", "gcn", "pna"}[i])
		c.Readout, c.Jump, c.Dropout = readout, []string{"concat", "max", "sum", "concat"}[i], 0.3
		t.Run(strings.Join([]string{c.Encoder, readout, c.Jump}, "/"), func(t *testing.T) {
			loops, kernels := onKernels(t, c, store)
			kernels.Near(t, loops, 1e-9)
			modeltest.NewTraining(t, Spec, c.whole()).Compare()
		})
	}
}
