package evaluate

import "math"

// A Share carries probabilities over to a library with another share of actives.
//
// A model's probabilities assume that actives are as frequent among queries as in the
// support set, because its episodes and the tasks that it was calibrated on are drawn so.
// In a library, actives are far rarer. If the molecules of a class have the same distribution
// in both, Bayes' rule changes all odds by the same factor,
//
//	logit p' = logit p + logit π − logit s
//
// with s the share of actives in the support set and π the share in the library
// (Saerens, Latinne and Decaestecker: Adjusting the Outputs of a Classifier to New a
// Priori Probabilities, 2002, equation 4). It does not change their order.
type Share struct{ shift float64 }

// ShareOf returns the change from a support set to a library with the given shares of
// actives, both in the open interval (0, 1).
func ShareOf(support, library float64) Share { return Share{logit(library) - logit(support)} }

// LogOdds returns what is added to log-odds.
func (s Share) LogOdds() float64 { return s.shift }

// Probability returns p'. It maps 0 to 0, and 1 to 1.
func (s Share) Probability(p float32) float64 {
	return 1 / (1 + math.Exp(-logit(float64(p))-s.shift))
}

// UpperConfidence returns the upper confidence bound by which pacia next ranks molecules: the
// log-odds plus explore times the uncertainty. The log-odds are those of the probability, unless it
// is rounded to 1 and they are known. Results of earlier versions have 0 in their place.
func UpperConfidence(probability, logOdds, uncertainty float32, explore float64) float64 {
	z := logit(float64(probability))
	if probability == 1 && logOdds > 0 {
		z = float64(logOdds)
	}
	return z + explore*float64(uncertainty)
}

func logit(p float64) float64 { return math.Log(p) - math.Log1p(-p) }
