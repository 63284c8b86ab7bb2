package screen

import (
	"fmt"
	"math"
	"strings"

	"pacia/metrics"
	"pacia/screen/ranking"
)

// MostExpected is the largest number of first molecules for which expected hits are reported, expectedAt has all.
const MostExpected = 100

var expectedAt = []int{10, 50, MostExpected}

// An Expectation computes the expected numbers of actives among the first molecules of a ranking. Molecules of
// the support set do not count. The zero value is ready to use.
type Expectation struct {
	Off           bool // no expectation, because the probabilities are not calibrated
	probabilities []float64
}

// Add adds the row at the next rank; shown is its probability as the table shows it.
func (e *Expectation) Add(row ranking.Ranked, shown float64) {
	if !e.Off && row.Mark == 0 && len(e.probabilities) < MostExpected {
		e.probabilities = append(e.probabilities, shown)
	}
}

// Hits returns the expected hits among the first 10, 50 and 100 molecules, as far as there are as many. With
// fewer than ten molecules it returns the expected hits among all of them.
func (e *Expectation) Hits() (all []metrics.ExpectedHits) {
	for _, n := range expectedAt {
		if n <= len(e.probabilities) {
			all = append(all, metrics.ExpectHits(e.probabilities[:n]))
		}
	}
	if len(all) == 0 && len(e.probabilities) > 0 {
		all = append(all, metrics.ExpectHits(e.probabilities))
	}
	return all
}

// FormatHits formats expected hits, such as "3 of the first 10 (1 to 5), 9 of 50 (4 to 14)". It returns "" if
// there are none.
func FormatHits(all []metrics.ExpectedHits) string {
	parts := make([]string, len(all))
	for i, h := range all {
		of := fmt.Sprint(h.First)
		if i == 0 {
			of = "the first " + of
		}
		parts[i] = fmt.Sprintf("%.0f of %s (%d to %d)", math.Round(h.Expected), of, h.Low, h.High)
	}
	return strings.Join(parts, ", ")
}
