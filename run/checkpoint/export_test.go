package checkpoint

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/internal/badinput"
	"pacia/internal/safetensors"
	"pacia/ops"
)

// TestExport checks that an exported model is its checkpoint without the optimiser, that
// it loads in the same way, and that other models can start from it.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	checkpoint, path := filepath.Join(dir, "best.ckpt"), filepath.Join(dir, "model.safetensors")
	err := ops.Pinned(1, func() error {
		cfg := encoderConfig(t, "gat")
		from, err := newModel(cfg)
		if err != nil {
			return err
		}
		defer from.Drop()
		state := append(VariablesOf(from), values(OptimiserPrefix+"m.w", []int64{2}, 1, 2))
		if err := Save(checkpoint, Meta{Config: cfg, Dataset: "assays", Progress: Progress{Episode: 12}}, state); err != nil {
			return err
		}
		e, err := Export(checkpoint, path, ExportOptions{})
		if err != nil {
			return err
		}
		c, err := Open(path)
		if err != nil {
			return err
		}
		defer c.Close()
		m, err := c.Model("cpu")
		if err != nil {
			return err
		}
		meta := c.Meta
		defer m.Drop()
		want := VariablesOf(from)
		numbers := 0
		for i, v := range VariablesOf(m) {
			a, err := want[i].Read()
			if err != nil {
				return err
			}
			b, err := v.Read()
			if err != nil {
				return err
			}
			if v.Name != want[i].Name || !slices.Equal(a, b) {
				t.Errorf("%s is not what %s was", v.Name, want[i].Name)
			}
			numbers += len(b)
		}
		if e.Tensors != len(want) || e.Parameters != int64(numbers) || e.LeftOut != 1 || meta.Dataset != "assays" || e.Episode() != 12 {
			t.Errorf("exported %+v; %d tensors of %d numbers were", e, len(want), numbers)
		}
		cfg.Seed++
		cfg.Model.Pretrained = path
		to, err := newModel(cfg)
		if err != nil {
			return err
		}
		defer to.Drop()
		cfg.Model.Pretrained = ""
		own, err := newModel(cfg)
		if err != nil {
			return err
		}
		defer own.Drop()
		compare(t, want, VariablesOf(own), VariablesOf(to))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := safetensors.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Metadata["format"] != "pacia model" || !strings.Contains(f.Metadata["config"], "encoder: gat") || !strings.Contains(f.Metadata["run"], `"dataset":"assays"`) {
		t.Errorf("metadata %v", f.Metadata)
	}
	if _, err := Export(checkpoint, checkpoint, ExportOptions{}); !badinput.Is(err) || !strings.Contains(err.Error(), "would replace its checkpoint") {
		t.Errorf("onto itself: error %v", err)
	}
	if _, err := Export(filepath.Join(dir, "none.ckpt"), path, ExportOptions{}); !badinput.Is(err) {
		t.Errorf("no checkpoint: error %v", err)
	}
}

// TestExportInHalf checks that only matrices are rounded to float16, that the file can be read
// from memory, and that it names the program that wrote it.
func TestExportInHalf(t *testing.T) {
	dir := t.TempDir()
	checkpoint, path := filepath.Join(dir, "best.ckpt"), filepath.Join(dir, "model.safetensors")
	third := float32(1) / 3
	if err := Save(checkpoint, testMeta(t), []Variable{values("w", []int64{1, 2}, third, 4), values("b", []int64{2}, third, 4)}); err != nil {
		t.Fatal(err)
	}
	if _, err := Export(checkpoint, path, ExportOptions{Half: true, Program: "v1"}); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read("the model", bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	if c.Program != "v1" || c.Dataset != "assays" || c.Config.Seed != 7 {
		t.Errorf("the metadata are %+v", c.Meta)
	}
	w, b := values("w", []int64{1, 2}, 0, 0), values("b", []int64{2}, 0, 0)
	if err := c.Restore([]Variable{w, b}); err != nil {
		t.Fatal(err)
	}
	const rounded = 0.33325195 // 1365/4096: 1/3 to 11 bits
	if got, _ := w.Read(); !slices.Equal(got, []float32{rounded, 4}) {
		t.Errorf("the matrix is %v, want 1/3 rounded to float16, and 4", got)
	}
	if got, _ := b.Read(); !slices.Equal(got, []float32{third, 4}) {
		t.Errorf("the vector is %v; it should stay float32", got)
	}
	content[len(content)-1] ^= 1
	if _, err := Read("the model", bytes.NewReader(content), int64(len(content))); !badinput.Is(err) || !strings.HasPrefix(err.Error(), "the model: ") {
		t.Errorf("a changed file gives %v, want a fault that names the model", err)
	}
}
