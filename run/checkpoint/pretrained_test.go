package checkpoint

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/internal/badinput"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/run/runtest"
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

// compare checks got against from where names start with encoder., and
// against own elsewhere.
func compare(t *testing.T, from, own, got []Variable) {
	t.Helper()
	for i, v := range from {
		want := own[i]
		if strings.HasPrefix(v.Name, encoderPrefix) {
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
