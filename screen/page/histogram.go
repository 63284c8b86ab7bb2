package page

import "math"

// Bins is the number of bins of a histogram.
const Bins = 40

// A Histogram counts probabilities from 0 to High in equal bins.
type Histogram struct {
	High   float64
	Counts [Bins]int
}

// NewHistogram returns a histogram up to a round number at or above the largest probability: if few
// molecules are expected to be active, all probabilities are near 0.
func NewHistogram(largest float64) *Histogram {
	h := &Histogram{High: 1}
	for high := 1.0; high > 1e-6; high /= 10 {
		for _, part := range []float64{1, 0.5, 0.2} {
			if largest <= part*high {
				h.High = part * high
			}
		}
	}
	return h
}

// Add counts a probability.
func (h *Histogram) Add(p float64) {
	h.Counts[max(0, min(Bins-1, int(p/h.High*Bins)))]++
}

// Size of the picture in its own units.
const (
	barsWide, barsHigh = 460, 390
	barsLeft, barsFoot = 44, 30
	barsHead, barsEnd  = 18, 20
)

// bars is the picture of a histogram.
type bars struct {
	Wide, High, Left, Base float64
	Bars                   []bar
	X                      []tick
	Y                      []tick
	Last                   *tick // place of the last shown row
}

type bar struct {
	X, Y, Wide, High float64
	Count            int
	From, To         float64 // probabilities
}

// tick is a place on an axis with its label.
type tick struct {
	At    float64
	Value float64
	Count int
}

// bars computes the picture. Heights are square roots of counts, so that a few molecules at the top
// are visible beside many below.
func (h *Histogram) bars(p *Page) *bars {
	b := &bars{Wide: barsWide, High: barsHigh, Left: barsLeft, Base: barsHigh - barsFoot}
	most := 0
	for _, n := range h.Counts {
		most = max(most, n)
	}
	high := func(n int) float64 {
		return math.Sqrt(float64(n)/float64(max(1, most))) * (b.Base - barsHead)
	}
	wide := float64(barsWide-barsLeft-barsEnd) / Bins
	for i, n := range h.Counts {
		b.Bars = append(b.Bars, bar{
			X: barsLeft + float64(i)*wide + 0.5, Wide: wide - 1, Y: b.Base - high(n), High: high(n), Count: n,
			From: float64(i) / Bins * h.High, To: float64(i+1) / Bins * h.High,
		})
	}
	at := func(v float64) float64 { return barsLeft + v/h.High*Bins*wide }
	for i := range 6 {
		v := float64(i) / 5 * h.High
		b.X = append(b.X, tick{At: at(v), Value: v})
	}
	for _, n := range countTicks(most) {
		b.Y = append(b.Y, tick{At: b.Base - high(n), Count: n})
	}
	if n := len(p.Rows); n > 0 && n < p.Ranked {
		b.Last = &tick{At: at(min(p.Rows[n-1].Probability, h.High)), Count: n}
	}
	return b
}

// countTicks returns round numbers up to most that are well separated on a scale of square roots.
func countTicks(most int) []int {
	ticks := []int{}
	for _, share := range []float64{0.06, 0.25, 0.56, 1} {
		n := roundDown(share * float64(most))
		if n > 0 && (len(ticks) == 0 || n > ticks[len(ticks)-1]) {
			ticks = append(ticks, n)
		}
	}
	return ticks
}

// roundDown returns the largest number at most v that is 1, 2, 3, 4, 5, 6 or 8 times a power of ten.
func roundDown(v float64) int {
	if v < 1 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	best := unit
	for _, times := range []float64{2, 3, 4, 5, 6, 8} {
		if times*unit <= v {
			best = times * unit
		}
	}
	return int(best)
}
