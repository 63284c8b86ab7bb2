package screen

import (
	"pacia/evaluate"
	"pacia/screen/ranking"
)

// Shown returns a function that converts a probability for display. If a share of actives is expected in the
// library, it shifts the probability to this share. With a share of 0 it returns the probability itself.
func Shown(s *ranking.Support, share float64) func(float32) float64 {
	if share == 0 {
		return func(probability float32) float64 { return float64(probability) }
	}
	return shareOf(s, share).Probability
}

func shareOf(s *ranking.Support, share float64) evaluate.Share {
	counts := s.Counts()
	return evaluate.ShareOf(float64(counts[1])/float64(len(s.Labels)), share)
}

// shift returns what Shown adds to log-odds.
func shift(s *ranking.Support, share float64) float64 {
	if share == 0 {
		return 0
	}
	return shareOf(s, share).LogOdds()
}
