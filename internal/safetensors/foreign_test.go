package safetensors_test

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/internal/safetensors"
)

// TestChangedFiles: a checksum that no longer fits, or zeros in its place, is not a fault of a file that another program has
// changed. The types of its tensors stay.
func TestChangedFiles(t *testing.T) {
	for _, sum := range []string{strings.Repeat("0", 64), strings.Repeat("a", 64), "x"} {
		header := `{"__metadata__":{"a":"b","checksum":"` + sum + `"},"h":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}}`
		path := foreign(t, header, 0, 0x3c)
		if _, err := safetensors.Open(path); !errors.Is(err, safetensors.ErrDamaged) {
			t.Errorf("checksum %s: %v; want damaged", sum, err)
		}
		f, err := safetensors.OpenChanged(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Metadata) != 1 || f.Metadata["a"] != "b" || f.Tensors[0].Type != safetensors.F16 {
			t.Errorf("metadata %v, tensors %v", f.Metadata, f.Tensors)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// foreign writes a file as the package safetensors of Python does: without a checksum, often without metadata.
func foreign(t *testing.T, header string, data ...byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "x.safetensors")
	content := slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), []byte(header), data)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFilesOfOtherPrograms(t *testing.T) {
	for _, tt := range []struct {
		header string
		data   []byte
		want   []float32
	}{
		{`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}, []float32{1, -2}},
		{`{"__metadata__":{"format":"pt"},"x":{"dtype":"F16","shape":[1,1],"data_offsets":[0,2]}}  `, []byte{0, 0x3c}, []float32{1}},
		{`{"x":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}}`, []byte{0x80, 0x3f}, []float32{1}},
		{`{"n":{"dtype":"I64","shape":[],"data_offsets":[0,8]},"x":{"dtype":"F64","shape":[1],"data_offsets":[8,16]}}`,
			[]byte{3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, []float32{1}},
		{`{"e":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"x":{"dtype":"F32","shape":[0,3],"data_offsets":[0,0]}}`, nil, []float32{}},
	} {
		f, err := safetensors.OpenForeign(foreign(t, tt.header, tt.data...))
		if err != nil {
			t.Errorf("%s: %v", tt.header, err)
			continue
		}
		x := f.Tensors[len(f.Tensors)-1] // by their names
		got, err := x.Read()
		if err != nil || x.Name != "x" || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %s is %v, want %v: %v", tt.header, x.Name, got, tt.want, err)
		}
		if f.Tensors[0].Name == "n" {
			if _, err := f.Tensors[0].Read(); err == nil {
				t.Error("whole numbers are read as weights")
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, header := range []string{
		`{`, `[]`, `{"x":1}`, `{}`,
		`{"x":{"dtype":"F99","shape":[1],"data_offsets":[0,4]}}`,
		`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`,
		`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`,
		`{"x":{"dtype":"F32","shape":[-1],"data_offsets":[4,0]}}`,
		`{"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}}`,
		`{"x":{"dtype":"I8","shape":[2],"data_offsets":[0,2]},"y":{"dtype":"I8","shape":[2],"data_offsets":[1,3]}}`,
		`{"__metadata__":{"checksum":"00"},"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`,
	} {
		if f, err := safetensors.OpenForeign(foreign(t, header, 1, 2, 3, 4)); !errors.Is(err, safetensors.ErrDamaged) {
			t.Errorf("%s: %v, %v; want damaged", header, f, err)
		}
	}
}
