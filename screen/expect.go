package screen

import (
	"fmt"
	"math"
	"strings"

	"pacia/metrics"
	"pacia/screen/ranking"
)

// firsts are of how many first molecules the hits are expected.
var firsts = []int{10, 50, 100}

// An Expectation counts how many actives to expect among the first molecules of a ranking that are
// not in the support set. The zero value is ready.
type Expectation struct {
	Off           bool // probabilities are not calibrated: nothing is expected
	probabilities []float64
}

// Add takes the row at the next rank. Its probability is written as shown.
func (e *Expectation) Add(row ranking.Ranked, shown float64) {
	if !e.Off && row.Mark == 0 && len(e.probabilities) < firsts[len(firsts)-1] {
		e.probabilities = append(e.probabilities, shown)
	}
}

// Hits are those of the first 10, 50 and 100, as far as there are as many; of fewer than ten, of all.
func (e *Expectation) Hits() (all []metrics.ExpectedHits) {
	for _, n := range firsts {
		if n <= len(e.probabilities) {
			all = append(all, metrics.ExpectHits(e.probabilities[:n]))
		}
	}
	if len(all) == 0 && len(e.probabilities) > 0 {
		all = append(all, metrics.ExpectHits(e.probabilities))
	}
	return all
}

// HitsSaid is such as "3 of the first 10 (1 to 5), 9 of 50 (4 to 14)"; empty without a molecule.
func HitsSaid(all []metrics.ExpectedHits) string {
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
