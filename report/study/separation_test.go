package study

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSeparationAgreesWithScikitLearn: the expected numbers are those of scikit-learn 1.9.1 (silhouette_score;
// KNeighborsClassifier(5) with LeaveOneOut, balanced_accuracy_score) for the same 14 points.
func TestSeparationAgreesWithScikitLearn(t *testing.T) {
	x, active := mat.NewDense(14, 2, nil), make([]bool, 14)
	for i := range 14 {
		active[i] = i%3 == 0
		x.Set(i, 0, float64((7*i*i+3*i)%11)/10)
		if active[i] {
			x.Set(i, 0, x.At(i, 0)+0.4)
		}
		x.Set(i, 1, float64((5*i*i+i)%13)/12)
	}
	s := separation(x, active)
	if math.Abs(s.Silhouette-0.1262230524703176) > 1e-12 || math.Abs(s.Neighbours-0.48888888888888893) > 1e-12 {
		t.Errorf("%+v, want a silhouette of 0.12622 and an accuracy of 0.48889", *s)
	}
}

// TestSeparationOfEnds: separated classes have the largest numbers. A class with a single molecule has
// none.
func TestSeparationOfEnds(t *testing.T) {
	x, active := mat.NewDense(12, 1, nil), make([]bool, 12)
	for i := range 12 {
		x.Set(i, 0, 100*float64(i%2))
		active[i] = i%2 == 1
	}
	if s := separation(x, active); s.Silhouette != 1 || s.Neighbours != 1 || s.String() != "silhouette 1.00, nearest neighbours 100 %" {
		t.Errorf("apart: %v", s)
	}
	if s := separation(mat.NewDense(3, 1, nil), []bool{true, false, false}); s != nil || s.String() != "" {
		t.Errorf("one active molecule: %v", s)
	}
	if s := separation(mat.NewDense(4, 1, nil), []bool{true, false, true, false}); s.Silhouette != 0 {
		t.Errorf("all in one place: %v", s)
	}
}
