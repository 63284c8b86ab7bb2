package ops_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// dropped runs dropout on n ones.
func dropped(l *opstest.Lab, p ops.Form, n int, rate float64, key uint64) []float64 {
	l.Helper()
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	x := l.Tensor(ones, false, int64(n))
	return l.Read(opstest.By(p, func(l *opstest.Lab) *ts.Tensor {
		return l.Must(ops.Named("dropout").One(ops.Args{In: []*ts.Tensor{x}, Ints: []int64{int64(key)}, Reals: []float64{rate}}))
	})(l))
}

// TestDropoutMask compares the mask entry by entry with the one that ATen calculates, and the
// share of kept entries with the binomial distribution. The tolerance is five standard
// deviations, which one of 3 million draws exceeds; the keys are fixed.
func TestDropoutMask(t *testing.T) {
	const n = 100_000
	for _, p := range []float64{0.1, 0.5, 0.9} {
		for _, key := range []uint64{0, 1, 1 << 32, 0xfedcba9876543210} {
			opstest.RunBoth(t, fmt.Sprintf("p %v key %x", p, key), func(t *testing.T) {
				l := opstest.New(t, 1, true)
				defer l.Drop()
				got, want := dropped(l, ops.Fastest, n, p, key), dropped(l, ops.Plain, n, p, key)
				kept := 0
				for i := range got {
					if (got[i] == 0) != (want[i] == 0) {
						t.Fatalf("entry %d: the operation gives %v, its plain form %v", i, got[i], want[i])
					}
					if got[i] == 0 {
						continue
					}
					kept++
					if math.Abs(got[i]-1/(1-p)) > 1e-12 {
						t.Fatalf("entry %d kept is %v, want 1/(1-p) = %v", i, got[i], 1/(1-p))
					}
				}
				mean, deviation := n*(1-p), math.Sqrt(n*p*(1-p))
				if d := math.Abs(float64(kept) - mean); d > 5*deviation {
					t.Errorf("%d of %d entries kept, want %.0f ± %.0f", kept, n, mean, 5*deviation)
				}
			})
		}
	}
}

// TestDropoutKeys compares the masks of neighbouring keys and sites: at
// p = 0.5 independent masks agree in half of the entries.
func TestDropoutKeys(t *testing.T) {
	opstest.Locked(t, 2)
	const n = 100_000
	l := opstest.New(t, 1, true)
	defer l.Drop()
	base := ops.Mode{Key: 42}
	keys := map[string]uint64{
		"next key": 43, "next high word": 42 + 1<<32, "site 0": base.Site(0).Key, "site 1": base.Site(1).Key,
		"site 1 of the next key": ops.Mode{Key: 43}.Site(1).Key, "site of a site": base.Site(1).Site(0).Key,
	}
	masks := map[string][]float64{"key 42": dropped(l, ops.Fastest, n, 0.5, 42)}
	for name, key := range keys {
		masks[name] = dropped(l, ops.Fastest, n, 0.5, key)
	}
	for a, x := range masks {
		for b, y := range masks {
			if a >= b {
				continue
			}
			same := 0
			for i := range x {
				if x[i] == y[i] {
					same++
				}
			}
			if d := math.Abs(float64(same) - n/2); d > 5*math.Sqrt(n)/2 {
				t.Errorf("masks of %s and %s agree in %d of %d entries, want about half", a, b, same, n)
			}
		}
	}
}
