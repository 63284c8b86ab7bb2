package why

import (
	"math"
	"testing"

	"pacia/model"
)

// TestPast: reasons name the past assays of an explanation, and state nothing of a molecule that is in none. Shares that are not
// finite are impossible.
func TestPast(t *testing.T) {
	b := NewBuilder(nil, nil, nil, nil, 0).WithPast([]string{"EGFR", "hERG"})
	if b.pastOf(&model.Explanation{}) != nil {
		t.Error("a molecule without past assays has reasons by them")
	}
	p := b.pastOf(&model.Explanation{Hits: 0.5, Past: []model.PastLabel{{Assay: 1, Active: true, Share: -0.25}, {Assay: 0, Share: 0.125}, {Assay: 7}}})
	if got, want := p.String(), "active in hERG -0.250; inactive in EGFR +0.125; inactive in past assay 8 +0.000"; got != want || p.Hits != 0.5 {
		t.Errorf("%v and %q, want 0.5 and %q", p.Hits, got, want)
	}
	if !p.possible() || (&Past{Hits: math.NaN()}).possible() || (&Past{Assays: make([]PastAssay, mostParts+1)}).possible() {
		t.Error("finite shares are impossible, or others possible")
	}
}
