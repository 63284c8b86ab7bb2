package checkpoint

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pacia/harness/runtest"
	"pacia/internal/badinput"
	"pacia/internal/version"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/methods"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// values returns a variable with the values v.
func values(name string, shape []int64, v ...float32) Variable {
	return Variable{
		Name: name, Shape: shape,
		Read:  func() ([]float32, error) { return slices.Clone(v), nil },
		Write: func(n []float32) error { copy(v, n); return nil },
	}
}

// newModel makes the model of a run.
func newModel(c runconfig.Config) (*model.Model, error) {
	m, err := methods.New(c.Model, model.Options{Seed: c.Seed, Device: "cpu"})
	if err != nil || c.Model.Pretrained == "" {
		return m, err
	}
	if err := StartFrom(c.Model.Pretrained, m); err != nil {
		m.Drop()
		return nil, err
	}
	return m, nil
}

func testMeta(t *testing.T) Meta {
	t.Helper()
	m := Meta{
		Config: runtest.Config(t), Dataset: "assays", DataHash: "abc", AdamSteps: 30,
		Tasks:    TaskNames{[]string{"a", "b, \"c\""}, []string{}, []string{"d"}},
		Progress: Progress{Episode: 30, Seconds: 1.0 / 3},
	}
	best := &rundir.Evaluation{Episode: 20, TestMean: metrics.Values{0.7}, Test: []metrics.Figures{{Task: "d", Values: metrics.Values{0.7}}}}
	m.Progress.Last, m.Progress.BestTest = best, best
	return m
}

func TestCheckpointRoundTrip(t *testing.T) {
	path, want := filepath.Join(t.TempDir(), rundir.LastFile), testMeta(t)
	written := []Variable{values("w", []int64{2, 2}, 1, 2, 3, 4), values("adam.m.w", []int64{2, 2}, 5, 6, 7, 8)}
	if err := Save(path, want, written); err != nil {
		t.Fatal(err)
	}
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	want.Program = version.Release
	if !reflect.DeepEqual(c.Meta, want) {
		t.Errorf("got %+v\nwant %+v", c.Meta, want)
	}
	w := values("w", []int64{2, 2}, 0, 0, 0, 0)
	if err := c.Restore([]Variable{w}); err != nil {
		t.Fatalf("without an optimiser: %v", err)
	}
	if got, _ := w.Read(); !slices.Equal(got, []float32{1, 2, 3, 4}) {
		t.Errorf("w is restored as %v", got)
	}
}

func TestCheckpointOfAnotherModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), rundir.LastFile)
	if err := Save(path, testMeta(t), []Variable{values("a", []int64{2}, 1, 2), values("b", []int64{2}, 3, 4)}); err != nil {
		t.Fatal(err)
	}
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, tt := range []struct {
		name  string
		model []Variable
		want  string
	}{
		{"more", []Variable{values("a", []int64{2}, 0, 0), values("b", []int64{2}, 0, 0), values("c", nil, 0)}, "lacks c"},
		{"less", []Variable{values("a", []int64{2}, 0, 0)}, "model has no b"},
		{"another shape", []Variable{values("a", []int64{2}, 0, 0), values("b", []int64{1, 2}, 0, 0)}, "its b has shape [2], the model's [1 2]"},
		{"no optimiser", []Variable{values("a", []int64{2}, 0, 0), values("b", []int64{2}, 0, 0), values("adam.m.a", []int64{2}, 0, 0)}, "lacks adam.m.a"},
	} {
		err := c.Restore(tt.model)
		if !badinput.Is(err) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want a fault with %q", tt.name, err, tt.want)
		}
		for _, v := range tt.model {
			if got, _ := v.Read(); slices.ContainsFunc(got, func(x float32) bool { return x != 0 }) {
				t.Errorf("%s: %s was changed to %v", tt.name, v.Name, got)
			}
		}
	}
}

// TestNumbersThatAreNotFinite checks that a checkpoint with such a number and a correct
// checksum is neither restored nor exported.
func TestNumbersThatAreNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		dir := t.TempDir()
		path, out := filepath.Join(dir, "bad.ckpt"), filepath.Join(dir, "out")
		if err := Save(path, testMeta(t), []Variable{values("encoder.w", []int64{2, 2}, 1, 2, float32(bad), 4)}); err != nil {
			t.Fatal(err)
		}
		c, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		want := fmt.Sprintf("%s: entry 2 of encoder.w is %v; use another file", path, bad)
		if err := c.Restore([]Variable{values("encoder.w", []int64{2, 2}, 0, 0, 0, 0)}); !badinput.Is(err) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("restored: %v, want %s", err, want)
		}
		if _, err := Export(path, out, ExportOptions{}); !badinput.Is(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("exported: %v, want %s", err, want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("a model with such a number was written")
		}
	}
}

// TestModelThatAFileDoesNotHold checks that settings for a larger model than the file's
// tensors are refused before memory is allocated.
func TestModelThatAFileDoesNotHold(t *testing.T) {
	meta := testMeta(t)
	small, err := newModel(meta.Config)
	if err != nil {
		t.Fatal(err)
	}
	defer small.Drop()
	meta.Config.Model.Width = 8192 // gigabytes
	path := filepath.Join(t.TempDir(), "wide.ckpt")
	if err := Save(path, meta, VariablesOf(small)); err != nil {
		t.Fatal(err)
	}
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := c.Model("cpu")
	runtime.ReadMemStats(&after)
	if err == nil {
		m.Drop()
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<20 {
		t.Errorf("%d bytes of memory were taken", taken)
	}
	if !badinput.Is(err) || !strings.Contains(err.Error(), "the checkpoint is of another model: its encoder.") {
		t.Errorf("got %v, want a fault that names a tensor of the encoder", err)
	}
}
