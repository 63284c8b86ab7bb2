package screen

import (
	"testing"

	"pacia/screen/ranking"
)

// TestExpectation: molecules of the support set do not count. For 60 others, hits are expected among the first
// 10 and 50. Without calibrated probabilities there is no expectation.
func TestExpectation(t *testing.T) {
	var e, off Expectation
	off.Off = true
	for i := range 70 {
		row := ranking.Ranked{Rank: i + 1}
		if i%7 == 0 {
			row.Mark = ranking.InSupportActive
		}
		e.Add(row, 0.5)
		off.Add(row, 0.5)
	}
	all := e.Hits()
	if len(all) != 2 || all[0].First != 10 || all[0].Expected != 5 || all[1].First != 50 || all[1].Expected != 25 {
		t.Errorf("hits %+v, want 5 of 10 and 25 of 50", all)
	}
	if text, want := FormatHits(all), "5 of the first 10 (2 to 8), 25 of 50 (14 to 36)"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
	if got := off.Hits(); got != nil {
		t.Errorf("without calibrated probabilities: %+v", got)
	}
}
