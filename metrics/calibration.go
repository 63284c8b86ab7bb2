package metrics

import (
	"errors"
	"math"
	"slices"
)

// Graded is a model's prediction for a molecule with a known label, and its weight.
type Graded struct {
	Score  float64 // not calibrated
	Prior  float64 // log-odds of being active without the score
	Label  uint8
	Weight float64
}

// Prior returns the log-odds of being active from the labels of a support set alone, with a
// pseudocount of one half for each class.
func Prior(labels []uint8) float64 {
	of := [2]float64{0.5, 0.5}
	for _, l := range labels {
		of[l]++
	}
	return math.Log(of[1] / of[0])
}

// Calibration converts a score to the log-odds of being active: slope·score + offset + prior.
type Calibration struct{ Slope, Offset float64 }

// Probability returns the probability that g is active.
func (c Calibration) Probability(g Graded) float64 {
	return 1 / (1 + math.Exp(-(c.Slope*g.Score + c.Offset + g.Prior)))
}

var errCalibration = errors.New("no slope and offset are best: all scores are equal, or they separate the classes perfectly")

// Calibrate returns the slope and the offset of maximum likelihood (Platt 1999, with given
// priors). Scores may have any scale.
func Calibrate(all []Graded) (Calibration, error) {
	mean, deviation := moments(all)
	standard := slices.Clone(all)
	for i := range standard {
		standard[i].Score = (standard[i].Score - mean) / deviation // NaN if all are equal
	}
	c, err := calibrate(standard)
	c.Slope /= deviation
	c.Offset -= c.Slope * mean
	return c, err
}

// moments returns the weighted mean and standard deviation of the scores.
func moments(all []Graded) (mean, deviation float64) {
	var sum, weights, squares float64
	for _, g := range all {
		sum, weights = sum+g.Weight*g.Score, weights+g.Weight
	}
	mean = sum / weights
	for _, g := range all {
		squares += g.Weight * (g.Score - mean) * (g.Score - mean)
	}
	return mean, math.Sqrt(squares / weights)
}

// calibrate is Calibrate for scores of standard deviation 1, by Newton's method. Its limited steps
// reach a slope of 200, beyond which such scores separate the classes.
func calibrate(all []Graded) (Calibration, error) {
	c := Calibration{Slope: 1}
	const most, near = 100, 1e-10
	for range most {
		var ga, gb, haa, hab, hbb float64
		for _, g := range all {
			p := c.Probability(g)
			d, h := g.Weight*(p-float64(g.Label)), g.Weight*p*(1-p)
			ga, gb = ga+d*g.Score, gb+d
			haa, hab, hbb = haa+h*g.Score*g.Score, hab+h*g.Score, hbb+h
		}
		det := haa*hbb - hab*hab
		da, db := (hbb*ga-hab*gb)/det, (haa*gb-hab*ga)/det
		if math.IsNaN(da+db) || math.IsInf(da+db, 0) {
			return c, errCalibration
		}
		// A Newton step may be too large with outlying scores.
		if length := math.Abs(da) + math.Abs(db); length > 2 {
			da, db = 2*da/length, 2*db/length
		}
		c.Slope, c.Offset = c.Slope-da, c.Offset-db
		if math.Abs(da)+math.Abs(db) < near {
			return c, nil
		}
	}
	return c, errCalibration
}

// Bin describes molecules of similar probabilities.
type Bin struct {
	Probability float64 `json:"probability"` // mean
	Active      float64 `json:"active"`      // share of actives
	Share       float64 `json:"share"`       // of all molecules
	Molecules   int     `json:"molecules"`
}

// Reliability sorts molecules into bins of equal width by their probabilities, and returns
// the bins that are not empty. It also returns the expected calibration error: the mean
// absolute difference between the share of actives and the probability (Naeini et al. 2015).
// Without molecules the error is NaN.
func Reliability(all []Graded, c Calibration, bins int) (list []Bin, ece float64) {
	sums, weights := make([]Bin, bins), 0.0
	for _, g := range all {
		p := c.Probability(g)
		b := &sums[min(bins-1, int(p*float64(bins)))]
		b.Probability, b.Active, b.Share = b.Probability+g.Weight*p, b.Active+g.Weight*float64(g.Label), b.Share+g.Weight
		b.Molecules++
		weights += g.Weight
	}
	for _, b := range sums {
		if b.Share == 0 {
			continue
		}
		b = Bin{b.Probability / b.Share, b.Active / b.Share, b.Share / weights, b.Molecules}
		ece += b.Share * math.Abs(b.Probability-b.Active)
		list = append(list, b)
	}
	if len(all) == 0 {
		return nil, math.NaN()
	}
	return list, ece
}
