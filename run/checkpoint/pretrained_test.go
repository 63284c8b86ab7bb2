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
)

// TestPretrainedEncoder starts a model from another one's checkpoint, and checks that
// only the encoder is copied.
func TestPretrainedEncoder(t *testing.T) {
	cfg := runtest.Config(t)
	path := filepath.Join(t.TempDir(), "first.ckpt")
	err := ops.Pinned(1, func() error {
		from, err := methods.New(cfg.Model, model.Options{Seed: cfg.Seed + 1, Device: "cpu"})
		if err != nil {
			return err
		}
		defer from.Drop()
		if err := Save(path, Meta{Config: cfg}, VariablesOf(from)); err != nil {
			return err
		}
		own, err := newModel(cfg)
		if err != nil {
			return err
		}
		defer own.Drop()
		cfg.Model.Pretrained = path
		to, err := newModel(cfg)
		if err != nil {
			return err
		}
		defer to.Drop()
		compare(t, VariablesOf(from), VariablesOf(own), VariablesOf(to))

		cfg.Model.Width++
		if _, err := newModel(cfg); !badinput.Is(err) || !strings.Contains(err.Error(), "model.width") {
			t.Errorf("an encoder of another width: %v; want a fault that names model.width", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPretrainedMembers: all members of an ensemble start from the file's encoder. Their classifiers
// differ, and so do their readouts.
func TestPretrainedMembers(t *testing.T) {
	cfg := runtest.Config(t)
	path := filepath.Join(t.TempDir(), "first.ckpt")
	if err := ops.Pinned(1, func() error {
		first := saved(t, path, cfg, nil)
		file := map[string]Variable{}
		for _, v := range first {
			file[v.Name] = v
		}
		of, err := methods.ForPreset(model.Paper, "kernel")
		if err != nil {
			return err
		}
		of.Encoder, of.Layers, of.Width, of.Readout = cfg.Model.Encoder, cfg.Model.Layers, cfg.Model.Width, "combined"
		m, err := methods.New(of, model.Options{Seed: 8, Device: "cpu", Tasks: []int{0, 1}})
		if err != nil {
			return err
		}
		defer m.Drop()
		if err := StartFrom(path, m); err != nil {
			return err
		}
		alike, readouts := 0, map[string][]float32{}
		for _, v := range VariablesOf(m) {
			got, err := v.Read()
			if err != nil {
				return err
			}
			name := model.OfMember(v.Name)
			if name == "readout.max.weight" {
				readouts[v.Name] = got
			}
			from, there := file[name]
			if !there || !strings.HasPrefix(name, model.EncoderPrefix) {
				continue
			}
			want, err := from.Read()
			if err != nil {
				return err
			}
			if alike++; !slices.Equal(got, want) {
				t.Errorf("%s does not have the values of the file", v.Name)
			}
		}
		encoder := 0
		for name := range file {
			if strings.HasPrefix(name, model.EncoderPrefix) {
				encoder++
			}
		}
		if alike != 2*encoder || encoder == 0 {
			t.Errorf("%d tensors were compared, want twice the encoder's %d", alike, encoder)
		}
		if a, b := readouts["readout.max.weight"], readouts["member.1.readout.max.weight"]; a == nil || b == nil || slices.Equal(a, b) {
			t.Errorf("the members' readouts are missing or equal: %d and %d values", len(a), len(b))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// compare checks got against from where names start with encoder., and
// against own elsewhere.
func compare(t *testing.T, from, own, got []Variable) {
	t.Helper()
	for i, v := range from {
		want := own[i]
		if strings.HasPrefix(v.Name, model.EncoderPrefix) {
			want = v
		}
		a, err := want.Read()
		if err != nil {
			t.Fatal(err)
		}
		b, err := got[i].Read()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a, b) {
			t.Errorf("%s does not have the values it should start from", v.Name)
		}
	}
}
