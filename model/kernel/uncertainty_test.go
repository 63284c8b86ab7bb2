package kernel

import (
	"math"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/harness/modeltest"
	"pacia/model"
)

// TestUncertaintyByDefinition compares the uncertainties of a task's queries with
// √(1 − kᵀ (K + σ² I)⁻¹ k / k(x, x)). The kernel is computed as if the query were a support
// molecule, and the equations are solved by elimination. Scores do not change.
func TestUncertaintyByDefinition(t *testing.T) {
	modeltest.Locked(t, 1)
	for _, on := range []bool{true, false} {
		settings := ForPreset("").(Settings)
		settings.Memory, settings.MiniMol = on, on
		m, k, d := memorised(t, settings)
		store := d.Store.(*molecule.Store)
		e := modeltest.Task(0, 3, 0)
		a := modeltest.Adapt(t, m, store, e)
		queries := []int32{0, 7, 20, 21, 22, 5, 30}
		before := scored(t, m, a, store, queries)
		if before[0].Uncertainty != 0 {
			t.Errorf("memory and minimol %t: uncertainties that were not enabled", on)
		}
		if can, err := a.EnableUncertainty(); !can || err != nil {
			t.Fatalf("memory and minimol %t: no uncertainties (%v)", on, err)
		}
		got := scored(t, m, a, store, queries)
		for i, q := range queries {
			want := plainUncertainty(t, m, k.Noise, store, e, q)
			if math.Abs(float64(got[i].Uncertainty)-want) > 1e-5 { // the learnt part is float32
				t.Errorf("memory and minimol %t: molecule %d has the uncertainty %v, want %v", on, q, got[i].Uncertainty, want)
			}
			if got[i].Probability != before[i].Probability {
				t.Errorf("memory and minimol %t: molecule %d scores %v with uncertainties, %v without", on, q,
					got[i].Probability, before[i].Probability)
			}
		}
	}
}

func scored(t *testing.T, m *model.Model, a *model.Adapted, store *molecule.Store, rows []int32) model.Scored {
	t.Helper()
	s, err := a.ScoreAll(modeltest.Readable(m, modeltest.Queries(t, store, rows)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plainUncertainty computes the definition, for one query.
func plainUncertainty(t *testing.T, m *model.Model, noise float64, store *molecule.Store, e data.Episode, query int32) float64 {
	t.Helper()
	all := data.Episode{Support: append(append([]int32{}, e.Support...), query), SupportLabels: append(append([]uint8{}, e.SupportLabels...), 0)}
	modeltest.Adapt(t, m, store, all)
	joined, _ := lastTask.joined(lastTask.support)
	n := len(e.Support)
	var system [][]float64 // [n, n+1] K + σ² I and k
	for i := range n {
		system = append(system, append(append([]float64{}, joined[i][:n]...), joined[i][n]))
		system[i][i] += noise
	}
	left := joined[n][n]
	for i, x := range eliminated(system) {
		left -= x * joined[n][i]
	}
	return math.Sqrt(left / joined[n][n])
}

// eliminated solves [n, n+1] equations.
func eliminated(a [][]float64) []float64 {
	n := len(a)
	for i := range n {
		for r := range n {
			if r == i {
				continue
			}
			f := a[r][i] / a[i][i]
			for c := range a[r] {
				a[r][c] -= f * a[i][c]
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = a[i][n] / a[i][i]
	}
	return x
}
