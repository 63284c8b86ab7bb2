package ranking

// Scores is the distribution of the probabilities of a library.
type Scores struct {
	Rows   int            `json:"rows"`
	Low    float32        `json:"low"`
	High   float32        `json:"high"`
	Counts [scoreBins]int `json:"counts"` // bin k counts the probabilities from k/scoreBins on
}

// scoreBins is the number of bins, with which quantiles are accurate to 0.001.
const scoreBins = 1000

func (s *Scores) add(p float32) {
	s.widen(1, p, p)
	s.Counts[bin(p)]++
}

// replace replaces the probability of a row. The range still includes the old one.
func (s *Scores) replace(old, p float32) {
	s.Counts[bin(old)]--
	s.Counts[bin(p)]++
	s.Low, s.High = min(s.Low, p), max(s.High, p)
}

// bin returns the index of the bin of a probability.
func bin(p float32) int { return max(0, min(scoreBins-1, int(p*scoreBins))) }

// join adds the probabilities of other rows.
func (s *Scores) join(o *Scores) {
	s.widen(o.Rows, o.Low, o.High)
	for k, n := range o.Counts {
		s.Counts[k] += n
	}
}

func (s *Scores) widen(rows int, low, high float32) {
	switch {
	case rows == 0:
		return
	case s.Rows == 0:
		s.Low, s.High = low, high
	}
	s.Rows, s.Low, s.High = s.Rows+rows, min(s.Low, low), max(s.High, high)
}

// Quantile returns the probability below which a share of the rows lies, accurate to 0.001.
func (s *Scores) Quantile(share float64) float32 {
	seen := 0
	for k, n := range s.Counts {
		if seen += n; n > 0 && float64(seen) >= share*float64(s.Rows) {
			return min(s.High, max(s.Low, (float32(k)+0.5)/scoreBins))
		}
	}
	return s.High
}

// HasRows reports whether the distribution is one of this number of rows.
func (s *Scores) HasRows(rows int) bool {
	sum := 0
	for _, n := range s.Counts {
		if n < 0 || n > rows {
			return false
		}
		sum += n
	}
	return s.Rows == rows && sum == rows && s.Low >= 0 && s.Low <= s.High && s.High <= 1
}
