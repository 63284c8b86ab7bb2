package screen

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pacia/data/rdkit"
)

// drawCounts draws n fingerprints with few bits, so that many are similar and some are equal.
func drawCounts(r *rand.Rand, n int) []rdkit.Counts {
	all := make([]rdkit.Counts, n)
	for i := range all {
		for bit := range 12 {
			if r.IntN(3) == 0 {
				all[i].Bit, all[i].Count = append(all[i].Bit, uint16(bit*100)), append(all[i].Count, uint16(1+r.IntN(3)))
			}
		}
	}
	return all
}

// farness returns 1 minus the Tanimoto coefficient, by its definition.
func farness(a, b rdkit.Counts) float64 {
	var x, y [rdkit.CountsLength]int
	for i, bit := range a.Bit {
		x[bit] = int(a.Count[i])
	}
	for i, bit := range b.Bit {
		y[bit] = int(b.Count[i])
	}
	least, most := 0, 0
	for i := range x {
		least, most = least+min(x[i], y[i]), most+max(x[i], y[i])
	}
	if most == 0 {
		return 0
	}
	return 1 - float64(least)/float64(most)
}

// plainMaxMin picks by the definition, with all distances in each step.
func plainMaxMin(all []rdkit.Counts, picks int) []int {
	picked := []int{0}
	for len(picked) < min(picks, len(all)) {
		best, farthest := -1, -1.0
		for i := range all {
			if slices.Contains(picked, i) {
				continue
			}
			nearest := 2.0
			for _, p := range picked {
				nearest = min(nearest, farness(all[i], all[p]))
			}
			if nearest > farthest {
				best, farthest = i, nearest
			}
		}
		picked = append(picked, best)
	}
	return picked
}

// TestMaxMin: the picks are those of the definition, ties and equal molecules included.
func TestMaxMin(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, tt := range []struct{ pool, picks int }{{1, 1}, {1, 5}, {2, 2}, {3, 1}, {10, 10}, {60, 7}, {60, 60}, {150, 40}} {
		for range 2 {
			all := drawCounts(r, tt.pool)
			got, err := maxMin(all, tt.picks)
			if err != nil {
				t.Fatal(err)
			}
			if want := plainMaxMin(all, tt.picks); !slices.Equal(got, want) {
				t.Errorf("%d of %d: picks %v, want %v", tt.picks, tt.pool, got, want)
			}
		}
	}
}

func TestMaxMinOfNothing(t *testing.T) {
	for _, picks := range []int{0, -1, 3} {
		if got, err := maxMin(nil, picks); err != nil || len(got) != 0 {
			t.Errorf("%d of no molecules: %v (%v)", picks, got, err)
		}
	}
	if got, err := maxMin(make([]rdkit.Counts, 3), 2); err != nil || !slices.Equal(got, []int{0, 1}) {
		t.Errorf("2 of 3 molecules without counts: %v (%v), want the first two", got, err)
	}
	if _, err := maxMin(make([]rdkit.Counts, maxPool+1), 2); err == nil {
		t.Error("a pool beyond the limit is accepted")
	}
}

// TestMaxMinSideBySide: concurrent picks equal sequential ones.
func TestMaxMinSideBySide(t *testing.T) {
	all := drawCounts(rand.New(rand.NewPCG(3, 4)), 80)
	want, err := maxMin(all, 20)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if got, err := maxMin(all, 20); err != nil || !slices.Equal(got, want) {
				t.Errorf("picks %v, want %v (%v)", got, want, err)
			}
		})
	}
	group.Wait()
}
