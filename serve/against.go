package serve

import (
	"net/http"

	"pacia/internal/each"
	"pacia/screen"
)

// againstFiles returns the names of the files of unwanted assays.
func (f *form) againstFiles() []string {
	return each.Of(f.against, func(s *upload) string { return s.name })
}

// againstNames returns the names of the unwanted assays.
func (f *form) againstNames() ([]string, error) {
	names, err := screen.AgainstNames(f.againstFiles())
	return names, refused(err)
}

// checkAgainst refuses prior and potency, which apply to a single assay, in a request with several assays.
func (f *form) checkAgainst() error {
	if len(f.against) == 0 {
		return nil
	}
	if f.prior > 0 || f.labelling.Numbers {
		return problem{Status: http.StatusBadRequest, What: "against has no effect with prior or potency", Fix: "leave out one of them"}
	}
	_, err := f.againstNames()
	return err
}

// againstAssay is the probability that a molecule is active in an unwanted assay.
type againstAssay struct {
	Name        string  `json:"name"`
	Probability float32 `json:"probability"`
}

// selective returns the selectivity of a row and its probabilities in the unwanted assays. Both are nil in a
// ranking for a single assay.
func (r *result) selective(e entry) (selectivity *float32, against []againstAssay) {
	for i, name := range r.ranker.Spill.Against {
		if i+1 < len(e.Each) {
			against = append(against, againstAssay{name, e.Each[i+1]})
		}
	}
	if len(against) > 0 {
		selectivity = &e.Probability
	}
	return selectivity, against
}
