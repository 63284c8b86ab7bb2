package train

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"testing"

	"pacia/checkpoint"
	"pacia/evaluate"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/runconfig"
	"pacia/rundir"
	"pacia/setting"
)

// tinyConfig is assaysConfig with a model that trains in no time.
func tinyConfig(t *testing.T) runconfig.Config {
	t.Helper()
	c := assaysConfig(t)
	shrink(t, &c)
	return c
}

// shrink makes a model train in no time.
func shrink(t *testing.T, c *runconfig.Config) {
	t.Helper()
	assign(t, c, "model.width=16", "model.layers=2")
	if slices.Contains(methods.Owners("model.relation.width"), c.Model.Method) {
		assign(t, c, "model.relation.width=16", "model.relation.layers=2")
	}
}

// assign sets settings of c.
func assign(t *testing.T, c *runconfig.Config, texts ...string) {
	t.Helper()
	if err := setting.Assign(c, texts...); err != nil {
		t.Fatal(err)
	}
}

// load makes the model of a checkpoint.
func load(path string) (*model.Model, checkpoint.Meta, error) {
	c, err := checkpoint.Open(path)
	if err != nil {
		return nil, checkpoint.Meta{}, err
	}
	defer c.Close()
	m, err := c.Model("cpu")
	return m, c.Meta, err
}

// TestLoadedModelGivesTheFiguresOfItsRun evaluates best.ckpt as a user would,
// with the seed and the number of its episode.
func TestLoadedModelGivesTheFiguresOfItsRun(t *testing.T) {
	c, dir, rec := tinyConfig(t), t.TempDir(), &recorder{}
	if _, err := Run(context.Background(), c, dir, false, rec); err != nil {
		t.Fatal(err)
	}
	r := openAssays(t, c)
	err := ops.Pinned(1, func() error {
		m, meta, err := load(filepath.Join(dir, rundir.BestFile))
		if err != nil {
			return err
		}
		defer m.Drop()
		got, n, err := evaluate.Tasks(context.Background(), evaluate.Of(m), r.data, r.tasks.test, evaluate.OptionsOf(c, uint64(meta.Episode())))
		if err != nil {
			return err
		}
		for _, e := range rec.evaluations {
			if e.Episode == meta.Episode() && (!reflect.DeepEqual(got, e.Test) || !reflect.DeepEqual(*meta.Progress.BestValidation, e) || n == 0) {
				t.Errorf("best.ckpt gives %v, its run had %v", got, e.Test)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestMemoryStays measures the anonymous memory over steps of a tiny model. A
// leak grows in every part of a run, a pool that fills does so once: counted is
// the median growth over six parts, so that a leak of 2 kB a step shows. In a
// process of its own, for those of other tests still fill their pools meanwhile.
func TestMemoryStays(t *testing.T) {
	if os.Getenv("PACIA_TEST_MEMORY") == "" {
		child := exec.Command(os.Args[0], "-test.run=^TestMemoryStays$", "-test.v")
		child.Env = append(os.Environ(), "PACIA_TEST_MEMORY=1")
		out, err := child.CombinedOutput()
		t.Logf("%s", out)
		if err != nil {
			t.Error(err)
		}
		return
	}
	const parts = 6
	first, last := 200, 500
	if os.Getenv("PACIA_LONG") != "" {
		first, last = 500, 2000
	}
	c := tinyConfig(t)
	c.Train.Episodes, c.Train.EvaluateEvery, c.Train.CheckpointEvery = last, 0, 0
	var held []int64
	rec := &recorder{onStep: func(episode int) {
		if episode >= first && (episode-first)%((last-first)/parts) == 0 {
			held = append(held, anonymous(t))
		}
	}}
	if _, err := Run(context.Background(), c, t.TempDir(), false, rec); err != nil {
		t.Fatal(err)
	}
	var grown []float64
	for i := range parts {
		grown = append(grown, float64(held[i+1]-held[i]))
	}
	slices.Sort(grown)
	growth := parts * (grown[parts/2-1] + grown[parts/2]) / 2 / float64(held[0])
	t.Logf("anonymous memory from step %d to %d in kB: %v, steady growth %+.2f %%", first, last, held, 100*growth)
	if growth >= 0.01 {
		t.Errorf("the memory of a run grows steadily, by %.1f %% from step %d to step %d: %v kB", 100*growth, first, last, held)
	}
}

// anonymous returns the memory of this process in kB that is not a file's: how
// many pages of libtorch are mapped at a moment is the kernel's affair. Garbage
// is given back first: how much of it there is varies by more than 1 %.
func anonymous(t *testing.T) int64 {
	t.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("the memory of this process cannot be read here: ", err)
	}
	_, rest, _ := bytes.Cut(text, []byte("RssAnon:"))
	var kB int64
	if _, err := fmt.Fscan(bytes.NewReader(rest), &kB); err != nil {
		t.Fatal(err)
	}
	return kB
}
