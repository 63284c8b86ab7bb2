package checkpoint

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/harness/runtest"
	"pacia/internal/badinput"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/run/runconfig"
)

// saved saves a model of these settings, with the initial values of seed 7, and returns its
// variables.
func saved(t *testing.T, path string, cfg runconfig.Config, tasks []int) []Variable {
	t.Helper()
	cfg.Seed = 7
	m, err := methods.New(cfg.Model, model.Options{Seed: cfg.Seed, Device: "cpu", Tasks: tasks})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Drop)
	all := VariablesOf(m)
	written := append(slices.Clone(all), values(OptimiserPrefix+"m.w", []int64{1}, 3))
	if err := Save(path, Meta{Config: cfg, Dataset: "assays"}, written); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestInitialise checks that a model gets all weights of a checkpoint, and those of an exported
// model except the ones that only training needs.
func TestInitialise(t *testing.T) {
	dir := t.TempDir()
	path, exported := filepath.Join(dir, "last.ckpt"), filepath.Join(dir, "model.safetensors")
	err := ops.Pinned(1, func() error {
		cfg := runtest.Config(t)
		var err error
		if cfg.Model, err = methods.ForPreset(model.Paper, "kernel"); err != nil {
			return err
		}
		cfg.Model.Encoder, cfg.Model.Layers, cfg.Model.Width = "fingerprint", 1, 4
		tasks := []int{0, 2, 3}
		want := saved(t, path, cfg, tasks)
		if _, err := Export(path, exported, ExportOptions{}); err != nil {
			return err
		}
		for _, file := range []string{path, exported} {
			m, err := methods.New(cfg.Model, model.Options{Seed: 8, Device: "cpu", Tasks: tasks})
			if err != nil {
				return err
			}
			defer m.Drop()
			if err := Initialise(file, m); err != nil {
				return err
			}
			alike := 0
			for i, v := range VariablesOf(m) {
				a, err := v.Read()
				if err != nil {
					return err
				}
				b, err := want[i].Read()
				if err != nil {
					return err
				}
				own := file == exported && strings.HasPrefix(v.Name, "multitask.") && !strings.HasSuffix(v.Name, ".factor")
				if slices.Equal(a, b) == own {
					t.Errorf("%s: %s has the values of the file: %t", filepath.Base(file), v.Name, !own)
				}
				if !own {
					alike++
				}
			}
			if alike < 8 {
				t.Errorf("%s: %d tensors were compared", file, alike)
			}
		}
		// Classifiers of other tasks are refused, with advice.
		m, err := methods.New(cfg.Model, model.Options{Seed: 8, Device: "cpu", Tasks: tasks[:2]})
		if err != nil {
			return err
		}
		defer m.Drop()
		wantMisfit(t, Initialise(path, m), "shape [3 4], the model's [2 4]", "start from its model as pacia export writes it")
		return Initialise(exported, m)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestInitialiseFromFrozen checks that minimol-trained, whose network is trained, continues from a run
// with minimol, whose vectors are fixed, but not the other way round.
func TestInitialiseFromFrozen(t *testing.T) {
	path, full := filepath.Join(t.TempDir(), "last.ckpt"), filepath.Join(t.TempDir(), "last.ckpt")
	if err := ops.Pinned(1, func() error {
		cfg := runtest.Config(t)
		var err error
		if cfg.Model, err = methods.ForPreset(model.Paper, "proto"); err != nil {
			return err
		}
		cfg.Model.Encoder, cfg.Model.Layers, cfg.Model.Width = "minimol", 1, 4
		want := saved(t, path, cfg, nil)
		frozen := cfg.Model
		cfg.Model.Encoder = "minimol-trained"
		m, err := methods.New(cfg.Model, model.Options{Seed: 8, Device: "cpu"})
		if err != nil {
			return err
		}
		defer m.Drop()
		if err := Initialise(path, m); err != nil {
			return err
		}
		found := 0
		for _, v := range VariablesOf(m) {
			i := slices.IndexFunc(want, func(w Variable) bool { return w.Name == v.Name })
			if i < 0 {
				continue
			}
			found++
			a, err := v.Read()
			if err != nil {
				return err
			}
			if b, err := want[i].Read(); err != nil || !slices.Equal(a, b) {
				t.Errorf("%s does not have the values of the file (%v)", v.Name, err)
			}
		}
		if found != len(want) {
			t.Errorf("%d of the file's %d tensors are in the model", found, len(want))
		}
		saved(t, full, cfg, nil)
		back, err := methods.New(frozen, model.Options{Seed: 8, Device: "cpu"})
		if err != nil {
			return err
		}
		defer back.Drop()
		wantMisfit(t, Initialise(full, back), "would be left over", "write model.encoder=minimol-trained, as that run had it")
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestWhatCannotBeInitialised checks that the error lists differences and the settings of the
// other run, and that the model is unchanged.
func TestWhatCannotBeInitialised(t *testing.T) {
	path := filepath.Join(t.TempDir(), "last.ckpt")
	err := ops.Pinned(1, func() error {
		cfg := encoderConfig(t, "gin")
		saved(t, path, cfg, nil)
		for _, tt := range []struct {
			change func(*model.Config)
			want   []string
		}{
			{func(c *model.Config) { c.Width = 8 }, []string{`its "encoder.atom" has shape [120 6], the model's [120 8]`, "more)", "write model.width=6, as that run had it"}},
			{func(c *model.Config) { c.Layers = 3 }, []string{"it lacks encoder.2.", "write model.layers=2"}},
			{func(c *model.Config) { c.Layers = 1 }, []string{"encoder.1.", "would be left over", "write model.layers=2"}},
			{func(c *model.Config) { c.Encoder = "gcn" }, []string{"it lacks encoder.0.", "would be left over", "write model.encoder=gin"}},
		} {
			other := cfg.Model
			tt.change(&other)
			m, err := methods.New(other, model.Options{Seed: 8, Device: "cpu"})
			if err != nil {
				return err
			}
			defer m.Drop()
			before, err := InMemory(VariablesOf(m))
			if err != nil {
				return err
			}
			wantMisfit(t, Initialise(path, m), tt.want...)
			for i, v := range VariablesOf(m) {
				a, _ := v.Read()
				if b, _ := before[i].Read(); !slices.Equal(a, b) {
					t.Errorf("%q: %s was changed", tt.want, v.Name)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func wantMisfit(t *testing.T, err error, want ...string) {
	t.Helper()
	if !badinput.Is(err) {
		t.Errorf("%v, want a fault with %q", err, want)
		return
	}
	for _, w := range append(want, "the weights do not fit train.init: ") {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%v lacks %q", err, w)
		}
	}
}
