package train

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"testing"

	"pacia/evaluate"
	"pacia/internal/setting"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// tinyConfig is assaysConfig with a model that trains in no time.
func tinyConfig(t *testing.T) runconfig.Config {
	t.Helper()
	c := assaysConfig(t)
	shrink(t, &c)
	return c
}

// shrink makes a model small, so that training takes little time.
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

// TestLoadedModelGivesTheFiguresOfItsRun evaluates best.ckpt as a user would, with the
// seed and the number of its episode. One method also keeps molecules of the training tasks.
func TestLoadedModelGivesTheFiguresOfItsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, method := range []string{"pacia", "mhnfs"} {
		t.Run(method, func(t *testing.T) { givesItsFigures(t, tinyOf(t, method)) })
	}
	t.Run("averaged", func(t *testing.T) {
		c := tinyOf(t, "pacia")
		c.Train.Average = 10
		givesItsFigures(t, c)
	})
	t.Run("frozen", func(t *testing.T) { givesItsFigures(t, frozen(t)) })
}

// tinyOf is tinyConfig with another method.
func tinyOf(t *testing.T, method string) runconfig.Config {
	t.Helper()
	c := tinyConfig(t)
	var err error
	if c.Model, err = methods.ForPreset(c.Model.Preset, method); err != nil {
		t.Fatal(err)
	}
	shrink(t, &c)
	return c
}

// frozen returns the settings of a method that freezes the encoder of model.pretrained, which another
// run has trained. In test tasks the method adapts all that is not frozen.
func frozen(t *testing.T) runconfig.Config {
	t.Helper()
	first, dir := tinyOf(t, "proto"), t.TempDir()
	first.Train.Episodes, first.Train.EvaluateEvery = 1, 0
	if _, err := Run(context.Background(), first, dir, false, &recorder{}); err != nil {
		t.Fatal(err)
	}
	c := tinyOf(t, "pintuning")
	shrinkOwn(t, &c)
	c.Model.Pretrained = filepath.Join(dir, rundir.LastFile)
	c.Train.FineTune = model.Tuning{Steps: 2, LearningRate: 0.05}
	return c
}

func givesItsFigures(t *testing.T, c runconfig.Config) {
	dir, rec := t.TempDir(), &recorder{}
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
		got, n, err := evaluate.Tasks(context.Background(), evaluate.AdapterOf(m), r.data, r.tasks.test,
			evaluate.OptionsOf(c, uint64(meta.Episode())))
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

// TestMemoryStays measures the anonymous memory over steps of a tiny model. A leak
// grows in every part of a run, a pool fills once. The test takes the median growth
// over six parts, which detects a leak of 2 kB per step. Growth in one stretch of
// steps is accepted if it stops within two more. The test runs in its own process,
// because other tests still fill their pools.
func TestMemoryStays(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
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
	const parts, stretches = 6, 3
	first, length := 200, 300
	if os.Getenv("PACIA_LONG") != "" {
		first, length = 500, 1500
	}
	c := tinyConfig(t)
	c.Train.TasksPerStep = 1
	c.Train.Episodes, c.Train.EvaluateEvery, c.Train.CheckpointEvery = first+stretches*length, 0, 0
	ctx, enough := context.WithCancel(context.Background())
	defer enough()
	var held []int64
	growth := math.Inf(1)
	rec := &recorder{onStep: func(episode int) {
		if since := episode - first; since < 0 || since%(length/parts) != 0 {
			return
		}
		if held = append(held, anonymous(t)); len(held) <= parts {
			return
		}
		growth = parts * steadily(held) / float64(held[0])
		t.Logf("anonymous memory up to step %d in kB: %v, steady growth %+.2f %%", episode, held, 100*growth)
		if held = held[parts:]; growth < 0.01 {
			enough()
		}
	}}
	if _, err := Run(ctx, c, t.TempDir(), false, rec); err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	if growth >= 0.01 {
		t.Errorf("the memory of a run grows steadily, by %.1f %% in the last of %d stretches of %d steps, and by 1 %% or more in each", 100*growth, stretches, length)
	}
}

// steadily returns the median of the differences between an even number of values.
func steadily(values []int64) float64 {
	var grown []float64
	for i := range len(values) - 1 {
		grown = append(grown, float64(values[i+1]-values[i]))
	}
	slices.Sort(grown)
	return (grown[len(grown)/2-1] + grown[len(grown)/2]) / 2
}

// anonymous returns the memory of this process in kB without mapped files: the number
// of mapped pages of libtorch varies. Garbage is collected first, because its amount
// varies by more than 1 %.
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
