package serve

import (
	"net/http"

	"pacia/internal/each"
	"pacia/screen"
)

// againstFiles are the names of the files of assays that are not wanted.
func (f *form) againstFiles() []string {
	return each.Of(f.against, func(s *upload) string { return s.name })
}

// againstNames are the names of these assays.
func (f *form) againstNames() ([]string, error) {
	names, err := screen.AgainstNames(f.againstFiles())
	return names, refused(err)
}

// checkAgainst refuses fields about probabilities in one assay beside several assays.
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

// againstAssay is the probability of a row in an assay that is not wanted.
type againstAssay struct {
	Name        string  `json:"name"`
	Probability float32 `json:"probability"`
}

// selective returns the selectivity of a row and its probabilities in assays that are not wanted; nothing
// where there is one assay.
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
