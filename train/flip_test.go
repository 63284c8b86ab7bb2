package train

import (
	"os"
	"path/filepath"
	"testing"

	"pacia/harness/flip"
	"pacia/run/checkpoint"
)

// TestDamagedMetrics: a run is not resumed from metrics with a changed byte, not even in
// a digit of a loss.
func TestDamagedMetrics(t *testing.T) {
	path := filepath.Join(t.TempDir(), "metrics.jsonl")
	log, err := openMetrics(path)
	if err != nil {
		t.Fatal(err)
	}
	for episode := 1; episode <= 4; episode++ {
		if err := log.Add(map[string]any{"episode": episode, "loss": 1 / float64(episode), "seconds": 0.01}); err != nil {
			t.Fatal(err)
		}
	}
	p := checkpoint.Progress{Episode: 4}
	mark := log.Mark()
	p.Metrics = &mark
	if err := log.Add(map[string]any{"episode": 5, "loss": 0.1}); err != nil { // an episode that the resumed run repeats
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	flip.Check(t, path, func() (string, error) {
		log, err := openMetrics(path)
		if err != nil {
			return "", err
		}
		defer log.Close()
		if err := log.cut(progress{p}); err != nil {
			return "", err
		}
		text, err := os.ReadFile(path)
		return string(text), err
	})
}
