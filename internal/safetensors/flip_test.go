package safetensors

import (
	"path/filepath"
	"testing"

	"pacia/harness/flip"
)

// TestDamagedFiles checks that a changed byte anywhere in a file is detected.
func TestDamagedFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.safetensors")
	tensor := func(name string, kind Type, values ...float32) Tensor {
		return Tensor{Name: name, Shape: []int64{int64(len(values))}, Type: kind, Read: func() ([]float32, error) { return values, nil }}
	}
	err := Write(path, map[string]string{"version": "1", "config": "seed: 7\n"},
		[]Tensor{tensor("weights", F32, 0.5, -1, 3, 1e-8), tensor("halves", F16, 0.25, 1), tensor("empty", F32)})
	if err != nil {
		t.Fatal(err)
	}
	type content struct {
		About  map[string]string
		Names  []string
		Values [][]float32
	}
	flip.Check(t, path, func() (c content, err error) {
		f, err := Open(path)
		if err != nil {
			return c, err
		}
		defer f.Close()
		c.About = f.Metadata
		for _, x := range f.Tensors {
			values, err := x.Read()
			if err != nil {
				return c, err
			}
			c.Names, c.Values = append(c.Names, x.Name), append(c.Values, values)
		}
		return c, nil
	})
}
