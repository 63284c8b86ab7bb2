package train

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pacia/fault"
	"pacia/runconfig"
	"pacia/rundir"
	"pacia/safetensors"
)

// values is a variable of a test.
func values(name string, shape []int64, v ...float32) variable {
	return variable{
		Name: name, Shape: shape,
		Read:  func() ([]float32, error) { return slices.Clone(v), nil },
		Write: func(n []float32) error { copy(v, n); return nil },
	}
}

func testMeta(t *testing.T) Meta {
	t.Helper()
	m := Meta{
		Config: testConfig(t), Dataset: "assays", DataHash: "abc", AdamSteps: 30,
		Tasks:    TaskNames{[]string{"a", "b, \"c\""}, []string{}, []string{"d"}},
		Progress: Progress{Episode: 30, Seconds: 1.0 / 3},
	}
	m.Progress.take(evaluation(20, 0.7, 0.6), runconfig.SelectValidation)
	return m
}

func TestCheckpointRoundTrip(t *testing.T) {
	path, want := filepath.Join(t.TempDir(), rundir.LastFile), testMeta(t)
	written := []variable{values("w", []int64{2, 2}, 1, 2, 3, 4), values("adam.m.w", []int64{2, 2}, 5, 6, 7, 8)}
	if err := save(path, want, written); err != nil {
		t.Fatal(err)
	}
	c, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if !reflect.DeepEqual(c.Meta, want) {
		t.Errorf("got %+v\nwant %+v", c.Meta, want)
	}
	w := values("w", []int64{2, 2}, 0, 0, 0, 0)
	if err := c.restore([]variable{w}); err != nil {
		t.Fatalf("without an optimiser: %v", err)
	}
	if got, _ := w.Read(); !slices.Equal(got, []float32{1, 2, 3, 4}) {
		t.Errorf("w is restored as %v", got)
	}
}

func TestCheckpointOfAnotherModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), rundir.LastFile)
	if err := save(path, testMeta(t), []variable{values("a", []int64{2}, 1, 2), values("b", []int64{2}, 3, 4)}); err != nil {
		t.Fatal(err)
	}
	c, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, tt := range []struct {
		name  string
		model []variable
		want  string
	}{
		{"more", []variable{values("a", []int64{2}, 0, 0), values("b", []int64{2}, 0, 0), values("c", nil, 0)}, "lacks c"},
		{"less", []variable{values("a", []int64{2}, 0, 0)}, "model has no b"},
		{"another shape", []variable{values("a", []int64{2}, 0, 0), values("b", []int64{1, 2}, 0, 0)}, "its b has shape [2], the model's [1 2]"},
		{"no optimiser", []variable{values("a", []int64{2}, 0, 0), values("b", []int64{2}, 0, 0), values("adam.m.a", []int64{2}, 0, 0)}, "lacks adam.m.a"},
	} {
		err := c.restore(tt.model)
		if !fault.Is(err) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want a fault with %q", tt.name, err, tt.want)
		}
		for _, v := range tt.model {
			if got, _ := v.Read(); slices.ContainsFunc(got, func(x float32) bool { return x != 0 }) {
				t.Errorf("%s: %s was changed to %v", tt.name, v.Name, got)
			}
		}
	}
}

// TestUnusableCheckpointsAreFaults also shows that a run does not resume from
// them, and leaves its folder as it found it.
func TestUnusableCheckpointsAreFaults(t *testing.T) {
	c, dir := assaysConfig(t), t.TempDir()
	trainFake(t, c, dir, false)
	path := filepath.Join(dir, rundir.LastFile)
	whole := readFile(t, path)
	again := func(change func(map[string]string)) string {
		t.Helper()
		f, err := safetensors.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		change(f.Metadata)
		other := filepath.Join(t.TempDir(), "other")
		if err := safetensors.Write(other, f.Metadata, f.Tensors); err != nil {
			t.Fatal(err)
		}
		return readFile(t, other)
	}
	flipped := []byte(whole)
	flipped[len(flipped)-5] ^= 1
	for _, tt := range []struct{ name, content, want string }{
		{"empty", "", "damaged"},
		{"cut in the header", whole[:100], "damaged"},
		{"cut in the data", whole[:len(whole)-1], "damaged"},
		{"a changed bit", string(flipped), "checksum"},
		{"another file", "smiles,a\nCC,1\n", "damaged"},
		{"another version", again(func(m map[string]string) { m["version"] = "2" }), `version "2", this program reads version 1`},
		{"no version", again(func(m map[string]string) { delete(m, "version") }), `version ""`},
		{"unknown settings", again(func(m map[string]string) { m["config"] += "speed: 3\n" }), "speed"},
		{"no settings", again(func(m map[string]string) { delete(m, "config") }), "settings cannot be read"},
		{"no run", again(func(m map[string]string) { m["run"] = "{" }), "settings cannot be read"},
	} {
		if err := os.WriteFile(path, []byte(tt.content), 0o600); err != nil {
			t.Fatal(err)
		}
		before := files(t, dir)
		_, err := runWith(context.Background(), newFake, c, dir, true, &recorder{})
		if !fault.Is(err) || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want a fault of one line that starts with the file and holds %q", tt.name, err, tt.want)
		}
		if !reflect.DeepEqual(files(t, dir), before) {
			t.Errorf("%s: the folder was changed", tt.name)
		}
		if _, _, err := Load(path, "cpu"); !fault.Is(err) {
			t.Errorf("%s: Load gives %v, want a fault", tt.name, err)
		}
	}
	if _, err := open(filepath.Join(dir, "none.ckpt")); !fault.Is(err) {
		t.Errorf("a missing checkpoint gives %v", err)
	}
}
