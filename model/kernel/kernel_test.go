package kernel

import (
	"math"
	"slices"
	"testing"

	"pacia/model"
	"pacia/model/modeltest"
)

// TestEveryReading takes a training step and scores, with the encoders that read
// fingerprints.
func TestEveryReading(t *testing.T) {
	modeltest.Locked(t, 2)
	x := modeltest.NewExercise(t, Spec)
	for _, encoder := range []string{"fingerprint", "gin+fingerprint", "pna+fingerprint"} {
		c := modeltest.Small(t, Spec, model.Paper)
		c.Encoder, c.Width = encoder, 8
		x.Run(t, encoder, c)
	}
}

// TestWeight: molecules alike and molecules with nothing in common ask for
// fingerprints, those in between for what was learnt.
func TestWeight(t *testing.T) {
	for u, want := range map[float64]float64{0: most, 0.1: most, 0.2: least, 0.25: least, 0.4: most, 1: most} {
		if got := weight(u); math.Abs(got-want) > 0.1 {
			t.Errorf("support molecules of mean coefficient %v: weight %v, want about %v", u, got, want)
		}
	}
	if got := meanOf([][]float64{{1, 0.2, 0.4}, {0.2, 1, 0.6}, {0.4, 0.6, 1}}); math.Abs(got-0.4) > 1e-12 {
		t.Errorf("the mean beside the diagonal is %v, want 0.4", got)
	}
	if got := meanOf([][]float64{{1}}); got != 0 {
		t.Errorf("the mean of no pair is %v, want 0", got)
	}
}

// TestRegression: (K + σ² I) α is the labels, a class counting as much as the other;
// with much noise the weights are those of class means.
func TestRegression(t *testing.T) {
	k := [][]float64{{1, 0.3, 0.1}, {0.3, 1, 0.5}, {0.1, 0.5, 1}}
	labels := []uint8{0, 0, 1}
	alpha, err := regression(k, labels, 0.7)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-0.75, -0.75, 1.5} {
		got := 0.7 * alpha[i]
		for j, a := range alpha {
			got += k[i][j] * a
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("equation %d comes to %v, want %v", i, got, want)
		}
	}
	if alpha, err = regression(k, labels, 1e6); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-0.75e-6, -0.75e-6, 1.5e-6} {
		if math.Abs(alpha[i]-want) > 1e-11 {
			t.Errorf("with much noise weight %d is %v, want %v", i, alpha[i], want)
		}
	}
}

// TestScores are the regression's, by the definition: Σ_i α_i k(q, i) of the kernel of
// units and Tanimoto coefficients, with the members' mean; and each query's alone.
func TestScores(t *testing.T) {
	modeltest.Locked(t, 2)
	store := modeltest.RandomStore(6, 40)
	c := modeltest.Small(t, Spec, model.Paper)
	m := modeltest.New(t, Spec, c, model.Options{Float64: true, Seed: 4})
	a := modeltest.Adapt(t, m, store, modeltest.Task(0, 3, 0))
	rows := []int32{0, 7, 20, 21, 22, 5}
	together, _ := modeltest.Scores(t, m, a, store, rows, len(rows))
	alone, _ := modeltest.Scores(t, m, a, store, rows, 1)
	for i := range rows {
		if together[i] != alone[i] {
			t.Errorf("query %d scores %v, and %v alone", i, together[i], alone[i])
		}
	}
	swapped := modeltest.Task(0, 3, 0)
	slices.Reverse(swapped.Support) // inactive ones stand first: molecules change classes
	other, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, swapped), store, rows, len(rows))
	for i := range rows {
		if sum := together[i] + other[i]; math.Abs(sum-1) > 1e-6 {
			t.Errorf("query %d scores %v, and %v where labels are swapped; want 1 together", i, together[i], other[i])
		}
	}
}

// TestMembersDiffer: encoders start with other values, and each learns.
func TestMembersDiffer(t *testing.T) {
	modeltest.Locked(t, 2)
	m := modeltest.New(t, Spec, modeltest.Small(t, Spec, model.Paper), model.Options{Tasks: []int{0}})
	values := map[string][]float64{}
	for _, p := range m.Parameters() {
		values[p.Name] = modeltest.Values(t, p)
	}
	first, second := values["encoder.0.weight"], values["member.1.encoder.0.weight"]
	if len(first) == 0 || len(first) != len(second) || slices.Equal(first, second) {
		t.Errorf("the members begin with %d and %d values, the same: %t", len(first), len(second), slices.Equal(first, second))
	}
}

func TestSettings(t *testing.T) {
	c := modeltest.Small(t, Spec, model.Paper)
	c.Encoder = "gin"
	modeltest.Fails(t, c.Validate(), "model.encoder: gin reads no fingerprints")
}
