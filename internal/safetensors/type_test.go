package safetensors

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFilesOfBothTypes checks that tensors of both types can be in one file.
func TestFilesOfBothTypes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.safetensors")
	third := []float32{1.0 / 3, -1}
	write := func() error {
		a := Tensor{Name: "a", Shape: []int64{2}, Read: func() ([]float32, error) { return third, nil }}
		b := a
		a.Type, b.Name = F16, "b"
		return Write(path, nil, []Tensor{a, b})
	}
	if err := write(); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i, want := range []struct {
		kind   Type
		values []float32
	}{{F16, []float32{0.33325195, -1}}, {F32, third}} {
		got, err := f.Tensors[i].Read()
		if err != nil || f.Tensors[i].Type != want.kind || !slices.Equal(got, want.values) {
			t.Errorf("tensor %d of type %v is %v (%v), want %v and %v", i, f.Tensors[i].Type, got, err, want.kind, want.values)
		}
	}
	third[1] = 70000
	if err := write(); err == nil || !strings.Contains(err.Error(), "a: element 1, 70000, is out of float16's range") {
		t.Errorf("a number out of float16's range is written with the error %v", err)
	}
}
