package pretrain

import (
	"math"
	"testing"
)

func TestFigures(t *testing.T) {
	a, b := tally{name: "atoms"}, tally{name: "atoms"}
	a.classes([]float64{0, 0, math.Log(2), 1000, 0, 0}, []int64{2, 1}) // right with probability 1/2, certainly wrong
	b.classes([]float64{math.Log(3), 0, 0}, []int64{0})                // right with probability 3/5
	c := tally{name: "contexts"}
	c.scores([]float64{math.Log(3), math.Log(3), -900, 900}, []float64{1, 0, 0, 0})
	f := figures(a, b, c, tally{name: "bonds"})
	if len(f.Parts) != 2 {
		t.Fatalf("%+v: want the atoms together, and the contexts", f)
	}
	for i, want := range []Part{
		{"atoms", 3, 2.0 / 3, (math.Ln2 + 1000 - math.Log(3.0/5)) / 3},
		{"contexts", 4, 0.5, (math.Log(4.0/3) + math.Log(4) + 900) / 4},
	} {
		got := f.Parts[i]
		if got.Name != want.Name || got.Asked != want.Asked || got.Accuracy != want.Accuracy || math.Abs(got.Loss-want.Loss) > 1e-12*want.Loss {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if sum := f.Parts[0].Loss + f.Parts[1].Loss; f.Loss != sum {
		t.Errorf("loss %v, want %v", f.Loss, sum)
	}
}
