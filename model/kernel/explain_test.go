package kernel

import (
	"math"
	"testing"

	"pacia/data/molecule"
	"pacia/harness/modeltest"
	"pacia/model/shared/counts"
)

// TestExplainByDefinition compares the share of each support molecule with slope · α_i k(q, i), with the
// kernel computed as if the query were a support molecule, and the share of all bits with the part of
// fingerprints.
func TestExplainByDefinition(t *testing.T) {
	modeltest.Locked(t, 1)
	for _, on := range []bool{true, false} {
		settings := ForPreset("").(Settings)
		settings.Memory, settings.MiniMol, settings.Slope, settings.Offset = on, on, 2.5, -0.3
		m, k, d := memorised(t, settings)
		store := d.Store.(*molecule.Store)
		e := modeltest.Task(0, 3, 0)
		a := modeltest.Adapt(t, m, store, e)
		queries := []int32{0, 7, 20, 21, 22, 5, 30}
		all := modeltest.Explained(t, m, a, store, queries)
		alpha, beta := lastTask.alpha, lastTask.beta
		for i, q := range queries {
			joined := e
			joined.Support, joined.SupportLabels = append(append([]int32{}, e.Support...), q), append(append([]uint8{}, e.SupportLabels...), 0)
			modeltest.Adapt(t, m, store, joined)
			n, s := len(e.Support), lastTask.support
			whole, alone := lastTask.joined(s)
			prints := 0.0
			near := make([]float64, n+1)
			counts.NewIndex(s.counts).Tanimoto(s.counts[n], near)
			for j := range n {
				if want := settings.Slope * (alpha[j]*whole[n][j] + beta[j]*alone[n][j]); math.Abs(all[i].Support[j]-want) > 1e-5 { // the learnt part is float32
					t.Errorf("memory and minimol %t: molecule %d has the share %v of support molecule %d, want %v", on, q, all[i].Support[j], j, want)
				}
				_, own := weights(s.known[n].entries != nil)
				_, other := weights(s.known[j].entries != nil)
				prints += settings.Slope * (alpha[j]*own*other + beta[j]) * (near[j] + near[j]*near[j]) / 2
			}
			if got := modeltest.Sum(all[i].Bits); math.Abs(got-prints) > 1e-9 {
				t.Errorf("memory and minimol %t: the bits of molecule %d have the share %v, want %v", on, q, got, prints)
			}
			if known := k.memory.of(s.counts[n]).entries; len(known) != len(all[i].Known) {
				t.Errorf("molecule %d has %d known labels, want %d", q, len(all[i].Known), len(known))
			}
		}
	}
}
