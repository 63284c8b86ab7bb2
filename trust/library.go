package trust

import (
	"slices"
	"sync"

	"pacia/data"
	"pacia/model/counts"
)

// bins of the Tanimoto coefficients, whose quantiles are so right to 0.001.
const bins = 1000

// A Library takes note of the molecules that are ranked, of which it keeps none. Several
// goroutines may add to it.
type Library struct {
	index *counts.Index                  // of the support set
	knows func(bit, count []uint16) bool // nil: the model cannot tell

	mu         sync.Mutex
	molecules  int
	nearest    [bins + 1]int // how many have their nearest support molecule at k/bins
	fromBefore int           // that the model learnt from
}

// Add takes in all molecules of a store; nothing where they come without fingerprints,
// as for a model that reads none.
func (l *Library) Add(s data.Molecules) {
	if v, ok := vectors(s, nil); ok {
		l.add(v)
	}
}

func (l *Library) add(v []counts.Vector) {
	near, known := make([]float64, l.index.Len()), 0
	bin := make([]int, len(v))
	for i, one := range v {
		l.index.Tanimoto(one, near)
		bin[i] = int(slices.Max(near)*bins + 1e-9) // 0.7 is 0.7 and not 0.699
		if l.knows != nil && l.knows(one.Bit, one.Count) {
			known++
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.molecules += len(v)
	l.fromBefore += known
	for _, b := range bin {
		l.nearest[b]++
	}
}

// quantile returns the Tanimoto coefficient with the nearest support molecule that a
// share of the library has at most.
func (l *Library) quantile(share float64) float64 {
	seen := 0
	for b, n := range l.nearest {
		if seen += n; n > 0 && float64(seen) >= share*float64(l.molecules) {
			return float64(b) / bins
		}
	}
	return 0
}

// known is the share of the library that the model learnt from; 0 where it cannot tell.
func (l *Library) known() float64 { return float64(l.fromBefore) / float64(max(1, l.molecules)) }
