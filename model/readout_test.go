package model

import (
	"strings"
	"testing"

	"pacia/ops"
)

var (
	readouts = []string{"mean", "sum", "max", "combined"}
	jumps    = []string{"last", "sum", "max", "concat"}
)

// TestEveryReadout takes a training step, adapts and scores with every encoder,
// readout and jump, with and without distinct rows behind it.
func TestEveryReadout(t *testing.T) {
	locked(t, 2)
	store := randomStore(3, 24)
	batch := joined(t, store, task(0, 2, 4), task(8, 2, 4))
	for i, encoder := range append([]string{"gin"}, others...) {
		for k, readout := range readouts {
			for l, jump := range jumps {
				c := small(t, []string{Paper, Reference}[(i+k+l)%2]).of(encoder)
				c.Readout, c.Jump = readout, jump
				checkSetting(t, strings.Join([]string{encoder, readout, jump}, "/"), c, store, batch)
			}
		}
	}
}

// TestReadoutOfMixture: where depth is adapted, any readout takes the mixture.
func TestReadoutOfMixture(t *testing.T) {
	locked(t, 2)
	store := randomStore(3, 24)
	batch := joined(t, store, task(0, 2, 4), task(8, 2, 4))
	for _, readout := range readouts {
		c := small(t, Paper)
		c.Readout, c.Adapt.Encoder = readout, "ND"
		checkSetting(t, readout, c, store, batch)
	}
}

// TestReadoutByHand: the molecules' vectors are what the atoms' states after FiLM
// say, which a model without the readout has as its means. A molecule of one atom
// is its own mean, sum and maximum; and the sum over layers of means is the mean
// of sums.
func TestReadoutByHand(t *testing.T) {
	locked(t, 2)
	store := randomStore(30, 40)
	b := joined(t, store, task(0, 3, 6))
	vectors := func(readout, jump string, layers int) []float64 {
		c := small(t, Reference)
		c.Readout, c.Jump, c.Layers = readout, jump, layers
		var trace Trace
		if _, err := newTest(t, c, true).backward(b, ops.Mode{}, &trace); err != nil || trace.Err != nil {
			t.Fatal(err, trace.Err)
		}
		return trace.QueryMean
	}
	check := comparison{t, rounding}
	mean, sum := vectors("mean", "last", 2), vectors("sum", "last", 2)
	const d = 6
	for q, mol := range b.QueryMol {
		atoms := float64(b.MolPtr[mol+1] - b.MolPtr[mol])
		for i := range d {
			check.close("a sum over atoms", []float64{sum[q*d+i]}, []float64{atoms * mean[q*d+i]})
		}
	}
	all := vectors("mean", "concat", 2)
	total := vectors("mean", "sum", 2)
	for q := range b.QueryMol {
		for i := range d {
			of := func(layer int) float64 { return all[q*3*d+layer*d+i] }
			check.close("the last of all layers", []float64{of(2)}, []float64{mean[q*d+i]})
			check.close("a sum over layers", []float64{total[q*d+i]}, []float64{of(0) + of(1) + of(2)})
		}
	}
}

// TestReadoutsOnKernels compares with the loops, and a stepper's padded batches
// with batches as they are; the tolerance is TestEncodersOnKernels's.
func TestReadoutsOnKernels(t *testing.T) {
	store := randomStore(3, 24)
	for i, readout := range readouts {
		c := small(t, Paper).of([]string{"gin", "pna", "gcn", "pna"}[i])
		c.Readout, c.Jump, c.Dropout = readout, []string{"concat", "max", "sum", "concat"}[i], 0.3
		t.Run(strings.Join([]string{c.Encoder, readout, c.Jump}, "/"), func(t *testing.T) {
			locked(t, 2)
			want := outcomeOf(t, c, store)
			emulated(t)
			got := outcomeOf(t, c, store)
			for name, w := range want {
				near(t, name, got[name], w, 1e-9)
			}
			newTraining(t, c).compare()
		})
	}
}
