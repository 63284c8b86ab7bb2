package metrics

import "math"

// threshold is the smallest score of molecules that are predicted to be active.
const threshold = 0.5

// Classes holds figures of a binary classification: a molecule is predicted to be active if its
// score is at least 0.5. As in the FS-Mol benchmark, a ratio with a denominator of 0 is 1.
type Classes struct {
	Accuracy         float64 // share of correct predictions
	BalancedAccuracy float64 // mean of the recalls of the classes that occur
	Precision        float64 // share of actives among the predicted actives; 1 without these
	Recall           float64 // share of predicted actives among the actives; 1 without actives
	F1               float64 // harmonic mean of the two; 1 without actives and predicted actives
}

// Classify predicts classes from scores and compares them with the labels. All fields are NaN
// without molecules, or if a score is NaN.
func Classify[S Score](labels []uint8, scores []S) Classes {
	sameLength(labels, scores)
	var n [2][2]int // molecules by label and prediction
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

// ActiveShare returns the share of actives, which is the expected average precision of
// random scores. It is NaN without molecules.
func ActiveShare(labels []uint8) float64 {
	actives := 0
	for _, label := range labels {
		actives += indicator(label != 0)
	}
	return float64(actives) / float64(len(labels))
}

// DeltaAUPRC returns the average precision minus [ActiveShare]. It is NaN if the average
// precision is NaN.
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
