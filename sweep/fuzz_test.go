package sweep

import (
	"os"
	"path/filepath"
	"testing"

	"pacia/harness/bounded"
	"pacia/internal/badinput"
)

// FuzzReadFile checks that a sweep's file with any content is either accepted or refused as
// bad input.
func FuzzReadFile(f *testing.F) {
	for _, text := range []string{
		"preset: tox21-10shot\nseeds: 10\nlist:\n  - {name: a, model.layers: 2}\ndevices: [cpu]\n", "grid: {model.layers: [1, 2], seed: [0]}\n", "seeds: [1, 1]\n",
		"random: {runs: 3, train.learning_rate: {from: 0.1, to: 1, log: true}}\n", "seeds: 99999999999\n", "a: &a [*a]\n", "grid: {a: [1,2,3,4,5,6,7,8,9], b: [1,2,3,4,5,6,7,8,9]}\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "x.yaml")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		bounded.Do(t, func() {
			if _, err := readFile(path); err != nil && !badinput.Is(err) {
				t.Errorf("%v, want a fault", err)
			}
		})
	})
}

// FuzzState checks the same for a run's state.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{"run":"a","status":"finished","exit":0,"sum":"00000000"}`))
	f.Add([]byte(`{"run":"a","status":"waiting","exit":0,"sum":""}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		at := runFiles{t.TempDir(), "a"}
		if err := os.MkdirAll(filepath.Dir(at.state()), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at.state(), text, 0o600); err != nil {
			t.Fatal(err)
		}
		bounded.Do(t, func() {
			if _, err := at.read(); err != nil && !badinput.Is(err) {
				t.Errorf("%v, want a fault", err)
			}
		})
	})
}
