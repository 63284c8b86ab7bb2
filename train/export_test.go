package train

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/fault"
	"pacia/safetensors"
)

// TestExport: a model is its checkpoint without the optimiser; it is loaded as
// the checkpoint is, and starts other models.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	checkpoint, path := filepath.Join(dir, "best.ckpt"), filepath.Join(dir, "model.safetensors")
	err := Pinned(1, func() error {
		cfg := encoderConfig(t, "gat")
		from, err := newTrainee(cfg, nil)
		if err != nil {
			return err
		}
		defer from.Drop()
		if err := save(checkpoint, Meta{Config: cfg, Dataset: "assays", Progress: Progress{Episode: 12}}, from.State()); err != nil {
			return err
		}
		e, err := Export(checkpoint, path)
		if err != nil {
			return err
		}
		m, meta, err := Load(path, "cpu")
		if err != nil {
			return err
		}
		defer m.Drop()
		want := slices.DeleteFunc(from.State(), func(v variable) bool { return forTraining(cfg, v.Name) })
		numbers := 0
		for i, v := range modelState(m) {
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
		if e.Tensors != len(want) || e.Parameters != int64(numbers) || e.LeftOut != len(from.State())-len(want) || meta.Dataset != "assays" || e.Episode() != 12 {
			t.Errorf("exported %+v; %d tensors of %d numbers were", e, len(want), numbers)
		}
		cfg.Seed++
		cfg.Model.Pretrained = path
		to, err := newTrainee(cfg, nil)
		if err != nil {
			return err
		}
		defer to.Drop()
		cfg.Model.Pretrained = ""
		own, err := newTrainee(cfg, nil)
		if err != nil {
			return err
		}
		defer own.Drop()
		compare(t, want, own.State(), to.State())
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
	if _, err := Export(checkpoint, checkpoint); !fault.Is(err) || !strings.Contains(err.Error(), "would replace its checkpoint") {
		t.Errorf("onto itself: error %v", err)
	}
	if _, err := Export(filepath.Join(dir, "none.ckpt"), path); !fault.Is(err) {
		t.Errorf("no checkpoint: error %v", err)
	}
}
