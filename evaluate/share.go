package evaluate

import "math"

// A Share carries probabilities over to a library with another share of actives.
//
// A model's probabilities are those of queries among which actives are as frequent as
// in the support set: so its episodes and the tasks that it was calibrated on are drawn.
// A library holds far fewer. If molecules of a class are alike in both, Bayes' rule
// gives the odds there by a factor that is the same for all molecules,
//
//	logit p' = logit p + logit π − logit s
//
// with s the share of actives in the support set and π that in the library
// (Saerens, Latinne and Decaestecker: Adjusting the Outputs of a Classifier to New a
// Priori Probabilities, 2002, equation 4). It does not change their order.
type Share struct{ shift float64 }

// ShareOf returns the change from a support set to a library with the given shares of
// actives, both between 0 and 1 and neither of them.
func ShareOf(support, library float64) Share { return Share{logit(library) - logit(support)} }

// Probability returns p'. It maps 0 to 0, and 1 to 1.
func (s Share) Probability(p float32) float64 {
	return 1 / (1 + math.Exp(-logit(float64(p))-s.shift))
}

// UpperConfidence is what pacia next ranks molecules by: the log-odds plus explore times the
// uncertainty, an upper confidence bound.
func UpperConfidence(probability, uncertainty float32, explore float64) float64 {
	return logit(float64(probability)) + explore*float64(uncertainty)
}

func logit(p float64) float64 { return math.Log(p) - math.Log1p(-p) }
