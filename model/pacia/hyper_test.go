package pacia

import (
	"fmt"
	"strings"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
)

// ablations of the hypernetworks, of the paper's appendix.
func ablations(t *testing.T, f func(name string, c config)) {
	t.Helper()
	for _, preset := range []string{model.Paper, model.Reference} {
		for layers := 1; layers <= 4; layers++ {
			for _, labels := range []bool{true, false} {
				for _, prototypes := range []string{"concat", "mean"} {
					c := small(t, preset)
					c.Hyper.Layers, c.Hyper.Labels, c.Hyper.Prototypes = layers, labels, prototypes
					f(fmt.Sprintf("%s/%d layers/labels %v/%s", preset, layers, labels, prototypes), c)
				}
			}
		}
	}
}

// TestEveryAblation takes a training step, adapts and scores with each.
func TestEveryAblation(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Locked(t, 1)
	x := modeltest.NewExercise(t, Spec)
	ablations(t, func(name string, c config) {
		for _, adapt := range []Adapt{{"N", "D"}, {"ND", "ND"}} {
			c.Adapt = adapt
			exercise(t, x, name, c)
		}
	})
}

// TestAblationsOnKernels compares with the loops, with the tolerance of
// TestEncodersOnKernels.
func TestAblationsOnKernels(t *testing.T) {
	store := modeltest.RandomStore(3, 24)
	for _, preset := range []string{model.Paper, model.Reference} {
		c := small(t, preset)
		c.Hyper.Layers, c.Hyper.Labels, c.Hyper.Prototypes = 2, false, "mean"
		c.Adapt = Adapt{"ND", "ND"}
		for _, dropout := range []float64{0, 0.2} { // without dropout, all relation layers run together
			c.Hyper.Dropout = dropout
			if dropout == 0 {
				c.Adapt.Predictor = "D"
			}
			t.Run(fmt.Sprint(preset, dropout), func(t *testing.T) {
				loops, kernels := onKernels(t, c, store)
				kernels.Near(t, loops, 1e-9)
			})
			c.Adapt.Predictor = "ND"
		}
	}
}

// TestAblationsByWidth: labels take two columns, a second prototype as many as
// the first, and each MLP has the requested number of layers.
func TestAblationsByWidth(t *testing.T) {
	const d, r = 6, 5 // of the encoder and of the relation graph
	ablations(t, func(name string, c config) {
		m := newTest(t, c, false)
		shapes, of := map[string][]int64{}, map[string]int{}
		for _, p := range m.Parameters() {
			shapes[p.Name] = p.Shape
			if mlp, _, ok := strings.Cut(p.Name, ".molecule."); ok && strings.HasSuffix(p.Name, ".weight") {
				of[mlp+" molecule"]++
			}
			if mlp, _, ok := strings.Cut(p.Name, ".last."); ok && strings.HasSuffix(p.Name, ".weight") {
				of[mlp+" last"]++
			}
		}
		for mlp, n := range of {
			if n != c.Hyper.Layers {
				t.Errorf("%s: %s has %d layers", name, mlp, n)
			}
		}
		labels, prototypes := int64(2), int64(2)
		if !c.Hyper.Labels {
			labels = 0
		}
		if c.Hyper.Prototypes == "mean" {
			prototypes = 1
		}
		want := map[string]int64{"task.0.molecule.0.weight": d + labels, "task.0.last.0.weight": prototypes * d,
			"query.molecule.0.weight": r + labels, "query.last.0.weight": (prototypes + 1) * r}
		if c.Hyper.Form == "split" {
			want = map[string]int64{"task.1.w.molecule.0.weight": d + labels, "task.1.b.last.0.weight": prototypes * d,
				"query.p.molecule.0.weight": r + labels, "query.p.means.weight": prototypes * r, "query.p.last.0.weight": 2 * r}
		}
		for parameter, in := range want {
			if s := shapes[parameter]; len(s) != 2 || s[1] != in {
				t.Errorf("%s: %s has shape %v, want [·, %d]", name, parameter, s, in)
			}
		}
	})
}
