package scores

import (
	"strings"
	"testing"

	"pacia/metrics"
)

// TestAgree: a model whose figures differ from those on record is refused; the message is different for nearly
// equal scores.
func TestAgree(t *testing.T) {
	apart := Task{Name: "a", Labels: []uint8{0, 1, 0, 1}, Scores: []float32{0.1, 0.9, 0.3, 0.2}} // 0.75
	equal := Task{Name: "a", Labels: []uint8{0, 1, 0, 1}, Scores: []float32{0.5, 0.5 + 2e-7, 0.5 + 1e-7, 0.5 - 1e-7}}
	rounded := Task{Name: "a", Labels: []uint8{0, 1, 1}, Scores: []float32{1, 1, 1}, Order: []float64{1 - 2e-16, 1, 1 - 1e-16}}
	for _, tt := range []struct {
		task   Task
		record float64
		want   string // begins and ends the error
	}{
		{apart, 0.75, ""},
		{apart, 0.751, ""},
		{rounded, 1, ""},
		{rounded, 0.5, ""}, // of an earlier version
		{apart, 0.7, "the best model reaches a ROC-AUC of 0.7500 on a, the run has 0.7000 of a on record; use the program that trained it"},
		{equal, 0.7, "the best model reaches a ROC-AUC of 0.5000 on a, the run has 0.7000 of a on record; its scores hardly differ, so that rounding decides their order; train it for longer"},
	} {
		err := agree([]Task{tt.task}, []metrics.Figures{{Task: "a", Values: metrics.Values{tt.record}}}, false)
		if got := errorText(err); got != tt.want {
			t.Errorf("on record %v: %q, want %q", tt.record, got, tt.want)
		}
	}
	if err := agree([]Task{apart}, nil, false); err == nil || !strings.HasPrefix(err.Error(), "the run was evaluated on 0 test tasks") {
		t.Errorf("without a record: %v", err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
