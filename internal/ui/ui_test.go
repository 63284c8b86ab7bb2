package ui

import (
	"bytes"
	"testing"
	"time"
)

// On a terminal the bar must be cleared before a line of results is printed, and at the
// end.
func TestDisplayOnATerminal(t *testing.T) {
	var screen bytes.Buffer
	d := NewDisplay(&screen, &screen)
	d.Terminal = true
	clock := time.Unix(0, 0)
	d.Now = func() time.Time { clock = clock.Add(time.Second); return clock }
	d.Begin(10)
	d.Show("step", 1, 10, func() string { return "loss 0.5" })
	if !bytes.Contains(screen.Bytes(), []byte("loss 0.5")) || !bytes.Contains(screen.Bytes(), []byte("1/10")) {
		t.Errorf("the bar lacks state or count: %q", screen.String())
	}
	before := screen.Len()
	d.Print("a result\n")
	if line := screen.String()[before:]; line[0] != '\r' {
		t.Errorf("the bar was not cleared before the line %q", line)
	}
	d.Close()
	if d.bar != nil {
		t.Error("the bar is still there after the end")
	}
}

func TestPaceCountsTheEvaluationsToCome(t *testing.T) {
	tests := []struct{ episodes, interval, episode, want int }{
		{100, 10, 0, 10}, {100, 10, 9, 10}, {100, 10, 10, 9}, {105, 10, 0, 11}, {105, 10, 100, 1},
		{100, 0, 50, 1}, {100, 0, 100, 0}, {100, 10, 100, 0}, {5, 10, 0, 1},
	}
	for _, tt := range tests {
		p := Pace{Episodes: tt.episodes, Interval: tt.interval}
		if got := p.evaluationsAfter(tt.episode); got != tt.want {
			t.Errorf("after episode %d of %d, every %d: %d evaluations left, want %d", tt.episode, tt.episodes, tt.interval, got, tt.want)
		}
	}
}

func TestLargeNumbersAreGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 9307546: "9,307,546", -1000: "-1,000", -100: "-100"} {
		if got := Grouped(n); got != want {
			t.Errorf("Grouped(%d) = %q, want %q", n, got, want)
		}
	}
}
