package checkpoint

import (
	"path/filepath"
	"testing"

	"pacia/harness/bounded"
	"pacia/harness/runtest"
	"pacia/internal/badinput"
	"pacia/internal/safetensors"
)

// FuzzOpen checks that a checkpoint with a correct checksum and arbitrary metadata is either
// read or refused as bad input.
func FuzzOpen(f *testing.F) {
	config, err := runtest.Config(f).Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add("1", string(config), `{"dataset":"x","progress":{"episode":3,"last":{"episode":3,"auc_test":0.5}}}`)
	f.Add("2", "seed: 1", "{}")
	f.Add("1", "a: &a [*a]", "[]")
	f.Fuzz(func(t *testing.T, version, config, run string) {
		path := filepath.Join(t.TempDir(), "x.ckpt")
		about := map[string]string{"format": "pacia checkpoint", "version": version, "config": config, "run": run}
		if err := safetensors.Write(path, about, nil); err != nil {
			return
		}
		bounded.Do(t, func() {
			c, err := Open(path)
			if err != nil {
				if !badinput.Is(err) {
					t.Errorf("%v, want a fault", err)
				}
				return
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	})
}
