package checkpoint

import (
	"path/filepath"
	"testing"

	"pacia/harness/flip"
	"pacia/harness/runtest"
)

// TestDamagedCheckpoints checks that a changed byte of a checkpoint is detected before its
// content is used.
func TestDamagedCheckpoints(t *testing.T) {
	path := filepath.Join(t.TempDir(), "last.ckpt")
	meta := Meta{
		Config: runtest.Config(t), Dataset: "embedded", DataHash: "00",
		Tasks: TaskNames{Train: []string{"a"}, Test: []string{"b"}}, Progress: Progress{Episode: 4},
	}
	if err := Save(path, meta, []Variable{values("w", []int64{2, 2}, 1, 2, 3, 4), values("b", []int64{2}, 0.5, -0.5)}); err != nil {
		t.Fatal(err)
	}
	type content struct {
		Meta
		W, B []float32
	}
	flip.Check(t, path, func() (got content, err error) {
		c, err := Open(path)
		if err != nil {
			return got, err
		}
		defer c.Close()
		got.Meta = c.Meta
		keep := func(to *[]float32) func([]float32) error {
			return func(v []float32) error { *to = v; return nil }
		}
		return got, c.Restore([]Variable{{Name: "w", Shape: []int64{2, 2}, Write: keep(&got.W)}, {Name: "b", Shape: []int64{2}, Write: keep(&got.B)}})
	})
}
