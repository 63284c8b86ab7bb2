package train

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/fault"
	"pacia/model"
	"pacia/model/methods"
)

// TestPretrainedEncoder starts a model from another one's checkpoint: the
// encoder is that one's, everything else is its own.
func TestPretrainedEncoder(t *testing.T) {
	cfg := testConfig(t)
	path := filepath.Join(t.TempDir(), "first.ckpt")
	err := Pinned(1, func() error {
		from, err := methods.New(cfg.Model, model.Options{Seed: cfg.Seed + 1, Device: "cpu"})
		if err != nil {
			return err
		}
		defer from.Drop()
		if err := save(path, Meta{Config: cfg}, modelState(from)); err != nil {
			return err
		}
		own, err := newTrainee(cfg, nil)
		if err != nil {
			return err
		}
		defer own.Drop()
		cfg.Model.Pretrained = path
		to, err := newTrainee(cfg, nil)
		if err != nil {
			return err
		}
		defer to.Drop()
		compare(t, modelState(from), own.State(), to.State())

		cfg.Model.Width++
		if _, err := newTrainee(cfg, nil); !fault.Is(err) || !strings.Contains(err.Error(), "model.width") {
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
func compare(t *testing.T, from, own, got []variable) {
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
