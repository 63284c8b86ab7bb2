package kernel

import (
	"math"
	"strings"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/shared/counts"
)

// TestKernelByHand compares the kernel of support molecules with the definition in
// similarity.go, and a score with the expectation plus Σ_i α_i k(q, i).
func TestKernelByHand(t *testing.T) {
	units := []float32{0.6, 0.8, 1, 0, 0, 1} // [3, 2]: two support molecules and a query
	learnt := [3][3]float64{{1, 0.6, 0.8}, {0.6, 1, 0}, {0.8, 0, 1}}
	coefficient := [3][3]float64{{1, 1. / 3, 2. / 3}, {1. / 3, 1, 1. / 2}, {2. / 3, 1. / 2, 1}}
	v := []counts.Vector{{Bit: []uint16{1, 2}, Count: []uint16{1, 2}}, {Bit: []uint16{2}, Count: []uint16{1}}, {Bit: []uint16{1, 2}, Count: []uint16{1, 1}}}
	pretrained := []float32{1, 2, 0.5, 1, 1, 1.5}
	alike := [3][3]float64{{1, math.Exp(-0.625), math.Exp(-0.125)}, {math.Exp(-0.625), 1, math.Exp(-0.25)}, {math.Exp(-0.125), math.Exp(-0.25), 1}}
	for _, known := range [][3]bool{{true, true, true}, {true, false, true}, {false, true, false}, {false, false, true}} {
		if !known[0] { // the query has no vector
			pretrained[5], alike[0][2], alike[1][2] = float32(math.NaN()), 0, 0
		}
		for _, u := range []shares{ofLabels, ofValues} {
			rows := make([]row, 3)
			var a, b [3]float64
			for i := range rows {
				a[i], b[i] = 0.3*math.Sqrt(0.7), 1
				if known[i] {
					rows[i] = row{entries: []entry{{task: 0, value: 0.6}, {task: int32(1 + i%2), value: 0.8}}, mean: float64(i) - 0.4}
					a[i], b[i] = math.Sqrt(0.7), math.Sqrt(0.2)
				}
			}
			plainOf := func(i, j int) float64 {
				c := coefficient[i][j]
				return (c+c*c)/2 + u.vectors*alike[i][j]
			}
			kernelOf := func(i, j int) float64 {
				l := 0.0
				if known[i] && known[j] {
					l = 0.36
					if i%2 == j%2 {
						l = 1
					}
				}
				return u.learnt*a[i]*a[j]*learnt[i][j] + l + b[i]*b[j]*plainOf(i, j)
			}

			tk := &task{kernel: &kernel{Settings: Settings{Members: 1}, memory: &memory{tasks: 3}}, index: counts.NewIndex(v[:2]),
				shares: u, structureWeight: b[:2], common: [][]float64{{0.5, -2}},
				regressions: regressions{usual: 0.125, coefficient: -0.5, alpha: []float64{2, -3}, beta: []float64{0.5, 0.25}},
				structure:   make([]float64, 2), plain: make([]float64, 2), cosines: make([]float64, 2), pasts: make([]float64, 2)}
			tk.labels = profileOf(rows[:2], 3)
			for i := range 2 {
				tk.learntWeight = append(tk.learntWeight, math.Sqrt(u.learnt)*a[i])
			}
			support := molecules{counts: v[:2], known: rows[:2], units: [][]float32{units[:4]}, vectors: pretrained[:4]}
			tk.support = support
			whole, alone := tk.joined(support)
			for i, line := range whole {
				for j, got := range line {
					if want := kernelOf(i, j); math.Abs(got-want) > 1e-4 {
						t.Errorf("known %v: the kernel of %d and %d is %v, want %v", known, i, j, got, want)
					}
					if want := plainOf(i, j); math.Abs(alone[i][j]-want) > 1e-4 {
						t.Errorf("known %v: the kernel of structure of %d and %d is %v, want %v", known, i, j, alone[i][j], want)
					}
				}
			}

			tk.fold(support)
			got := tk.score(molecules{counts: v[2:], known: rows[2:], units: [][]float32{units[4:]}, vectors: pretrained[4:]}, 0)
			want := -0.5 * (0.25*-2 - 0.125) // the query is (0, 1)
			if known[2] {
				want = -0.5 * (0.3*1.6 - 0.125)
			}
			for i, alpha := range tk.alpha {
				want += alpha*kernelOf(i, 2) + tk.beta[i]*plainOf(i, 2)
			}
			if math.Abs(got-want) > 1e-3 {
				t.Errorf("known %v: the score is %v, want %v", known, got, want)
			}
		}
	}
}

// TestCommon: after Flush a model has the mean of a member's classifiers, with their factor.
func TestCommon(t *testing.T) {
	modeltest.Locked(t, 1)
	c := modeltest.Small(t, Spec, model.Paper)
	c.Encoder = "fingerprint"
	m := modeltest.New(t, Spec, c, model.Options{Tasks: []int{0, 5, 7}})
	before := map[string][]float64{}
	for _, p := range m.Parameters() {
		before[p.Name] = modeltest.Values(t, p)
	}
	if err := m.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, p := range m.Buffers() {
		if !strings.HasPrefix(p.Name, "common.") {
			continue
		}
		got := modeltest.Values(t, p)
		prefix := "multitask." + strings.TrimPrefix(p.Name, "common.") + "."
		w, factor := before[prefix+"classifiers.weight"], before[prefix+"factor"][0]
		d := len(got)
		for i := range got {
			want := 0.0
			for at := i; at < len(w); at += d {
				want += factor * w[at] / float64(len(w)/d)
			}
			if math.Abs(got[i]-want) > 1e-5 {
				t.Fatalf("%s[%d] is %v, want %v", p.Name, i, got[i], want)
			}
		}
	}
}
