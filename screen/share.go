package screen

import (
	"fmt"
	"strconv"
	"strings"

	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/screen/ranking"
)

// ParseShare parses a share of actives, such as 0.02 or 2 %. It returns 0 for an empty text. Called is the
// name of the flag or field, for errors.
func ParseShare(called, text string) (float64, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	number, percent := strings.CutSuffix(text, "%")
	share, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(number), ",", ".", 1), 64)
	if percent {
		share /= 100
	}
	if err == nil && share > 0 && share < 1 {
		return share, nil
	}
	e := &badinput.Error{What: fmt.Sprintf("%s %s is not a share of actives", called, badinput.Quote(text)), Fix: "write a number between 0 and 1, such as 0.02, or per cent, such as 2%"}
	if percent {
		e.Fix = "write more than 0 % and less than 100 %, such as 2 %"
	}
	return 0, e
}

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
