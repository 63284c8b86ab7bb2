package train

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pacia/evaluate"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/run/rundir"
)

// TestDescriptorsResume: a run with an encoder that reads descriptors resumes with the
// same bits as one that was not stopped. Its checkpoint holds the quantiles of the
// training tasks' molecules, and so gives the figures of its run.
func TestDescriptorsResume(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for method, encoder := range map[string]string{"proto": "fingerprint", "kernel": "fingerprint", "pacia": "gin+fingerprint"} {
		t.Run(method, func(t *testing.T) {
			c := tinyConfig(t)
			var err error
			if c.Model, err = methods.ForPreset(model.Paper, method); err != nil {
				t.Fatal(err)
			}
			shrink(t, &c)
			assign(t, &c, "model.encoder="+encoder, "model.descriptors=true")
			dir := resumes(t, method, c)
			r := openAssays(t, c)
			err = ops.Pinned(1, func() error {
				m, meta, err := load(filepath.Join(dir, rundir.BestFile))
				if err != nil {
					return err
				}
				defer m.Drop()
				got, _, err := evaluate.Tasks(context.Background(), evaluate.AdapterOf(m), r.data, r.tasks.test,
					evaluate.OptionsOf(c, uint64(meta.Episode())))
				if err != nil {
					return err
				}
				if want := meta.Progress.BestValidation.Test; !reflect.DeepEqual(got, want) {
					t.Errorf("best.ckpt gives %v, its run had %v", got, want)
				}
				if method == "kernel" {
					return nil // it makes room for its labels once
				}
				kept := knotsOf(t, m)
				if err := m.Remember(r.data, r.tasks.train); err != nil {
					return err
				}
				if !slices.Equal(knotsOf(t, m), kept) {
					t.Error("best.ckpt has other quantiles than the molecules of the training tasks")
				}
				if err := m.Remember(r.data, r.tasks.test); err != nil {
					return err
				}
				if slices.Equal(knotsOf(t, m), kept) {
					t.Error("the molecules of the test tasks have the same quantiles: the test shows nothing")
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// knotsOf returns the quantiles that a model keeps.
func knotsOf(t *testing.T, m *model.Model) []float64 {
	t.Helper()
	for _, p := range m.Buffers() {
		if filepath.Ext(p.Name) == ".knots" {
			values, err := ops.ReadAs[float64](p.Tensor)
			if err != nil {
				t.Fatal(err)
			}
			return values
		}
	}
	t.Fatal("the model keeps no quantiles")
	return nil
}
