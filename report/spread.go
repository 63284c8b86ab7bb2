package report

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Spread is a figure over seeds.
type Spread struct {
	N         int
	Mean      float64
	Deviation float64 // of the sample: over N-1; NaN for one seed
	// Low and High are the ends of the 95 % interval of the mean, by Student's t
	// with N-1 degrees of freedom; NaN for one seed.
	Low, High float64
}

// confidence is that of the interval.
const confidence = 0.95

func spread(values []float64) Spread {
	s := Spread{N: len(values), Mean: stat.Mean(values, nil), Deviation: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if s.N < 2 {
		return s
	}
	s.Deviation = stat.StdDev(values, nil)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(s.N - 1)}.Quantile((1 + confidence) / 2)
	half := t * s.Deviation / math.Sqrt(float64(s.N))
	s.Low, s.High = s.Mean-half, s.Mean+half
	return s
}

// none stands where there is no figure.
const none = "–"

// String returns the figure in per cent: 82.40 ± 0.26 [82.21, 82.59].
func (s *Spread) String() string {
	switch {
	case s == nil:
		return none
	case s.N < 2:
		return percent(s.Mean)
	}
	return fmt.Sprintf("%s ± %s [%s, %s]", percent(s.Mean), percent(s.Deviation), percent(s.Low), percent(s.High))
}

func percent(v float64) string { return fmt.Sprintf("%.2f", 100*v) }
