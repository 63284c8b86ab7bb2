package trust

import (
	"slices"
	"sync"

	"pacia/data/molecule"
	"pacia/model/shared/counts"
)

// bins is the number of bins of Tanimoto coefficients, whose quantiles are accurate to 0.001.
const bins = 1000

// A Library collects statistics of the ranked molecules without storing molecules. Several
// goroutines may add to it.
type Library struct {
	labels []uint8                        // of the support set
	index  *counts.Index                  // of the support set
	knows  func(bit, count []uint16) bool // reports whether the model learnt from a molecule; nil if it has no record
	past   *Past                          // nil: there are none

	mu         sync.Mutex
	molecules  int
	nearest    [bins + 1]int // bin k counts molecules whose nearest support molecule is at k/bins
	fromBefore int           // number of molecules that the model learnt from
	inPast     int           // number of molecules in past assays
	outside    int           // number of molecules outside its domain
}

// Near holds the active and the inactive support molecule nearest to a molecule, as indices
// from 0, and their Tanimoto coefficients.
type Near struct {
	Active, Inactive     int32
	ToActive, ToInactive float32
	Known                bool  // the model learnt from the molecule; false if it has no record
	Past, PastActive     int32 // past assays in which the molecule was measured, and in which it was active
}

// Add adds all n molecules of a store and returns the support molecules nearest to each [n]. It does nothing and
// returns nil if the molecules have no fingerprints, because the model reads none.
func (l *Library) Add(s molecule.List) []Near {
	if v, ok := vectors(s, nil); ok {
		return l.add(v)
	}
	return nil
}

func (l *Library) add(v []counts.Vector) []Near {
	like, known, past, outside := make([]float64, l.index.Len()), 0, 0, 0
	bin, near := make([]int, len(v)), make([]Near, len(v))
	for i, one := range v {
		l.index.Tanimoto(one, like)
		near[i] = l.nearestOf(like)
		bin[i] = int(slices.Max(like)*bins + 1e-9) // without the term 0.7 would fall into the bin of 0.699
		if l.knows != nil && l.knows(one.Bit, one.Count) {
			near[i].Known = true
			known++
		}
		if near[i].Past, near[i].PastActive = l.past.of(one); near[i].Past > 0 {
			past++
		}
		if !near[i].Inside() {
			outside++
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.molecules += len(v)
	l.fromBefore += known
	l.inPast += past
	l.outside += outside
	for _, b := range bin {
		l.nearest[b]++
	}
	return near
}

// nearestOf returns the nearest molecule of each class, the first of equally near ones.
func (l *Library) nearestOf(like []float64) Near {
	which, best := [2]int32{}, [2]float64{-1, -1}
	for i, label := range l.labels {
		if like[i] > best[label] {
			which[label], best[label] = int32(i), like[i]
		}
	}
	return Near{Active: which[1], Inactive: which[0], ToActive: float32(best[1]), ToInactive: float32(best[0])}
}

// quantile returns the Tanimoto coefficient with the nearest support molecule that a share of the library
// does not exceed.
func (l *Library) quantile(share float64) float64 {
	seen := 0
	for b, n := range l.nearest {
		if seen += n; n > 0 && float64(seen) >= share*float64(l.molecules) {
			return float64(b) / bins
		}
	}
	return 0
}

// known returns the share of the library that the model learnt from, or that past assays measured, whichever is larger; 0 if it
// has no record.
func (l *Library) known() float64 {
	return float64(max(l.fromBefore, l.inPast)) / float64(max(1, l.molecules))
}
