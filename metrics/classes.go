package metrics

import "math"

// threshold is the score from which on a molecule is called active.
const threshold = 0.5

// Classes measures how well molecules are called active or inactive: active
// where the score is at least 0.5. The conventions are those of the FS-Mol
// benchmark: a ratio with nothing to count is 1.
type Classes struct {
	Accuracy         float64 // share of right calls
	BalancedAccuracy float64 // mean over the classes that occur of their members' share of right calls
	Precision        float64 // share of actives among those called active; 1 where none is
	Recall           float64 // share called active among the actives; 1 where there is none
	F1               float64 // harmonic mean of the two; 1 where no molecule is active or called so
}

// Classify calls molecules active or inactive and compares with their labels.
// All fields are NaN without a molecule or where a score is NaN.
func Classify[S Score](labels []uint8, scores []S) Classes {
	sameLength(labels, scores)
	var n [2][2]int // molecules by label and call
	for i, s := range scores {
		if math.IsNaN(float64(s)) {
			return noClasses()
		}
		n[indicator(labels[i] != 0)][indicator(s >= threshold)]++
	}
	inactive, active := n[0][0]+n[0][1], n[1][0]+n[1][1]
	if inactive+active == 0 {
		return noClasses()
	}
	c := Classes{
		Accuracy:  share(n[0][0]+n[1][1], inactive+active),
		Precision: share(n[1][1], n[0][1]+n[1][1]),
		Recall:    share(n[1][1], active),
		F1:        share(2*n[1][1], active+n[0][1]+n[1][1]),
	}
	switch {
	case inactive == 0:
		c.BalancedAccuracy = share(n[1][1], active)
	case active == 0:
		c.BalancedAccuracy = share(n[0][0], inactive)
	default:
		c.BalancedAccuracy = (share(n[0][0], inactive) + share(n[1][1], active)) / 2
	}
	return c
}

// ActiveShare returns the share of actives, which is the average precision that
// random scores have in the mean. It is NaN without a molecule.
func ActiveShare(labels []uint8) float64 {
	actives := 0
	for _, label := range labels {
		actives += indicator(label != 0)
	}
	return float64(actives) / float64(len(labels))
}

// DeltaAUPRC returns by how much the average precision is above [ActiveShare].
// It is NaN where the average precision is.
func DeltaAUPRC[S Score](labels []uint8, scores []S) float64 {
	return AveragePrecision(labels, scores) - ActiveShare(labels)
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

func indicator(b bool) int {
	if b {
		return 1
	}
	return 0
}

func noClasses() Classes {
	nan := math.NaN()
	return Classes{nan, nan, nan, nan, nan}
}
