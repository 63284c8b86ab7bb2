package safetensors_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"pacia/internal/badinput"
	"pacia/internal/safetensors"
)

// sample returns tensors with a scalar, an empty tensor and values that only exact copies
// preserve.
func sample() []safetensors.Tensor {
	of := func(name string, shape []int64, values ...float32) safetensors.Tensor {
		return safetensors.Tensor{Name: name, Shape: shape, Read: func() ([]float32, error) { return values, nil }}
	}
	return []safetensors.Tensor{
		of("weight", []int64{2, 3}, 1, -2.5, float32(math.Inf(1)), math.SmallestNonzeroFloat32, 0, math.MaxFloat32),
		of("empty", []int64{0, 4}),
		of("a scalar", nil, float32(math.Copysign(0, -1))),
		of("bias \"é\"", []int64{2}, float32(math.NaN()), 3),
	}
}

func write(t *testing.T, metadata map[string]string) (path string, content []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "x.ckpt")
	if err := safetensors.Write(path, metadata, sample()); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, content
}

func TestReadsBackWhatWasWritten(t *testing.T) {
	metadata := map[string]string{"config": "seed: 1\nname: \"é\"\n", "checksums": "not the checksum", "empty": ""}
	path, _ := write(t, metadata)
	f, err := safetensors.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if len(f.Metadata) != len(metadata) {
		t.Errorf("metadata %v, want %v", f.Metadata, metadata)
	}
	for key, want := range metadata {
		if f.Metadata[key] != want {
			t.Errorf("metadata %s is %q, want %q", key, f.Metadata[key], want)
		}
	}
	if len(f.Tensors) != len(sample()) {
		t.Fatalf("%d tensors, want %d", len(f.Tensors), len(sample()))
	}
	for i, want := range sample() {
		got := f.Tensors[i]
		if got.Name != want.Name || !slices.Equal(got.Shape, want.Shape) {
			t.Errorf("tensor %d is %s %v, want %s %v", i, got.Name, got.Shape, want.Name, want.Shape)
		}
		values, err := got.Read()
		if err != nil {
			t.Fatal(err)
		}
		exact, _ := want.Read()
		if !slices.EqualFunc(values, exact, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }) {
			t.Errorf("%s reads back as %v, want %v", want.Name, values, exact)
		}
	}
}

// TestLayout reads the file without this package.
func TestLayout(t *testing.T) {
	_, content := write(t, map[string]string{"a": "b"})
	n := binary.LittleEndian.Uint64(content)
	if n%8 != 0 {
		t.Errorf("the header has %d bytes: the data is not aligned to 8", n)
	}
	var header map[string]struct {
		DType   string  `json:"dtype"`
		Shape   []int64 `json:"shape"`
		Offsets []int64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(content[8:8+n], &header); err != nil {
		t.Fatal(err)
	}
	w, s := header["weight"], header["a scalar"]
	if w.DType != "F32" || !slices.Equal(w.Shape, []int64{2, 3}) || !slices.Equal(w.Offsets, []int64{0, 24}) {
		t.Errorf("weight is described as %+v", w)
	}
	if s.Shape == nil || len(s.Shape) != 0 || !slices.Equal(s.Offsets, []int64{24, 28}) {
		t.Errorf("a scalar is described as %+v", s)
	}
	if got := math.Float32frombits(binary.LittleEndian.Uint32(content[8+n+4:])); got != -2.5 {
		t.Errorf("weight[0,1] is %v in the file, want -2.5", got)
	}
}

// TestDamageIsFound cuts the file at every length and flips a bit of every byte. All
// these files must be refused.
func TestDamageIsFound(t *testing.T) {
	path, content := write(t, map[string]string{"config": "seed: 1", "version": "1"})
	try := func(what string, at int, damaged []byte) {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := safetensors.Open(path)
		if err == nil {
			err = f.Close()
		}
		if !errors.Is(err, safetensors.ErrDamaged) {
			t.Errorf("%s %d of %d: error %v, want ErrDamaged", what, at, len(content), err)
		}
	}
	for n := range content {
		try("cut to", n, content[:n])
		flipped := bytes.Clone(content)
		flipped[n] ^= 1 << (n % 8)
		try("changed byte", n, flipped)
	}
	try("longer than", len(content), append(bytes.Clone(content), 0))
}

func TestOtherFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	if _, err := safetensors.Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
	if _, err := safetensors.Open(dir); !badinput.Is(err) {
		t.Errorf("a folder gives %v", err)
	}
}

// TestFailedWriteLeavesTheOldFile fails in the middle of the data.
func TestFailedWriteLeavesTheOldFile(t *testing.T) {
	path, content := write(t, nil)
	broken := errors.New("device lost")
	tensors := append(sample(), safetensors.Tensor{
		Name: "last", Shape: []int64{1}, Read: func() ([]float32, error) { return nil, broken },
	})
	if err := safetensors.Write(path, nil, tensors); !errors.Is(err, broken) {
		t.Errorf("writing gives %v, want %v", err, broken)
	}
	checkUnchanged(t, path, content)
	short := []safetensors.Tensor{{Name: "x", Shape: []int64{2}, Read: func() ([]float32, error) { return []float32{1}, nil }}}
	if err := safetensors.Write(path, nil, short); err == nil {
		t.Error("one element passes for two")
	}
	if err := safetensors.Write(path, nil, append(sample(), sample()[0])); err == nil {
		t.Error("two tensors of one name pass")
	}
	checkUnchanged(t, path, content)
}

func checkUnchanged(t *testing.T, path string, content []byte) {
	t.Helper()
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(after, content) {
		t.Error("a failed write changed the file")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.tmp")); left != nil {
		t.Errorf("a failed write left %v", left)
	}
}

// TestHugeFilesAreRefused checks that huge files, which can be sparse, are refused before memory
// is allocated.
func TestHugeFilesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.ckpt")
	for _, tt := range []struct{ header, size int64 }{{30 << 30, 40 << 30}, {1 << 30, 2 << 30}, {17 << 20, 1 << 30}} {
		if err := os.WriteFile(path, binary.LittleEndian.AppendUint64(nil, uint64(tt.header)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, tt.size); err != nil {
			t.Skip("no sparse files here: ", err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := safetensors.Open(path)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, safetensors.ErrDamaged) && !badinput.Is(err) {
			t.Errorf("a header of %d bytes: %v, want a fault or ErrDamaged", tt.header, err)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<20 {
			t.Errorf("a header of %d bytes: %d bytes of memory", tt.header, taken)
		}
	}
}
