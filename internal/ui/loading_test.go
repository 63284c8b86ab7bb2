package ui

import (
	"bytes"
	"testing"
	"time"
)

// TestLoading checks that without a terminal only long steps are reported, every ten seconds
// from their beginning.
func TestLoading(t *testing.T) {
	var out bytes.Buffer
	l := NewLoading(&out)
	now := time.Unix(0, 0)
	l.Now = func() time.Time { return now }
	for _, s := range []struct {
		unit        string
		done, total int
		after       time.Duration
	}{
		{"files", 1, 3, 0}, {"files", 2, 3, time.Second}, {"files", 3, 3, 8 * time.Second},
		{"molecules", 128, 1000, 2 * time.Second}, {"molecules", 500, 1000, 9 * time.Second}, {"molecules", 600, 1000, time.Second},
		{"molecules", 700, 1000, time.Second}, {"molecules", 1000, 1000, 20 * time.Second},
	} {
		now = now.Add(s.after)
		l.Show(s.unit, s.done, s.total)
	}
	if got, want := out.String(), "molecules 600/1000  \n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
