package config

import (
	"os"
	"path/filepath"
	"testing"

	"pacia/harness/bounded"
	"pacia/internal/badinput"
)

// FuzzLoad checks that any settings file is either accepted or refused as bad input.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		"", "seed: 1\n", "model: {method: proto}\n", "train:\n  episodes: 12\n", "a: &a [*a]\n", "seed: !!binary x\n", "? [a]\n: b\n", "seed: 1\nseed: 2\n",
		"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b]\n", "model: {layers: 99999999999999999999}\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "x.yaml")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		bounded.Do(t, func() {
			if _, err := Load(Options{File: path}); err != nil && !badinput.Is(err) {
				t.Errorf("%v, want a fault", err)
			}
		})
	})
}
