package train

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/ops"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// poisoned makes one weight of a real model NaN before a step.
type poisoned struct {
	learner
	t      *testing.T
	name   string // of the tensor
	before int    // the step, counted from 1
	steps  int
	state  map[string][]float32 // just before that step
}

func (p *poisoned) Submit(b *data.Batch, dropout uint64) error {
	p.steps++
	if p.steps == p.before {
		for _, v := range p.State() {
			if v.Name != p.name {
				continue
			}
			values, err := v.Read()
			if err != nil {
				p.t.Fatal(err)
			}
			values[len(values)/2] = float32(math.NaN())
			if err := v.Write(values); err != nil {
				p.t.Fatal(err)
			}
		}
		p.state = weights(p.t, p.State())
	}
	return p.learner.Submit(b, dropout)
}

// weights reads parameters and the optimiser's moments. It leaves out the running averages
// of a normalisation, which the forward pass changes even if the step fails.
func weights(t *testing.T, state []checkpoint.Variable) map[string][]float32 {
	t.Helper()
	all := map[string][]float32{}
	for _, v := range state {
		if strings.HasSuffix(v.Name, ".norm.mean") || strings.HasSuffix(v.Name, ".norm.var") {
			continue
		}
		values, err := v.Read()
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range values {
			if x != x {
				values[i] = -12345 // NaN is not equal to itself
			}
		}
		all[v.Name] = values
	}
	return all
}

// TestAWeightThatIsNotANumber: the run stops before the update, leaves the model unchanged,
// writes the episode to a file and names the settings to change.
func TestAWeightThatIsNotANumber(t *testing.T) {
	var p *poisoned
	build := func(c runconfig.Config, tasks []int) (learner, error) {
		l, err := newTrainee(c, tasks)
		if err != nil {
			return nil, err
		}
		p = &poisoned{learner: l, t: t, before: 3}
		for _, v := range l.State() {
			if strings.HasPrefix(v.Name, "classifier") {
				p.name = v.Name
				break
			}
		}
		if p.name == "" {
			t.Fatal("the classifier has no weight")
		}
		return undropped{p}, nil
	}
	c, dir := tinyConfig(t), t.TempDir()
	c.Train.Episodes, c.Train.EvaluateEvery, c.Train.CheckpointEvery = 6, 0, 2
	err := trainSettled(t, build, c, dir, &recorder{})
	if !errors.Is(err, ops.ErrNotFinite) || !contains(err, "episode 3 (", "the model was not changed", "train.learning_rate", rundir.FailureFile) {
		t.Errorf("got %v, want ErrNotFinite of episode 3, with a remedy", err)
	}
	for name, now := range weights(t, p.State()) {
		if !slices.Equal(now, p.state[name]) {
			t.Errorf("the step that failed has changed %s", name)
		}
	}
	p.Drop()
	if _, meta := content(t, filepath.Join(dir, rundir.LastFile)); meta.Episode() != 2 {
		t.Errorf("last.ckpt is of episode %d, want 2", meta.Episode())
	}
	if text := readFile(t, filepath.Join(dir, rundir.FailureFile)); !strings.Contains(text, `"episode": 3`) {
		t.Errorf("the failed episode is written as %s", text)
	}
}

// undropped keeps a learner's tensors after the run, for inspection.
type undropped struct{ *poisoned }

func (undropped) Drop() {}

// TestAFailureIsRecalled: --resume warns that the run failed and names the setting to change.
// A run that gets past the step removes the record.
func TestAFailureIsRecalled(t *testing.T) {
	c, dir := assaysConfig(t), t.TempDir()
	build := func(runconfig.Config, []int) (learner, error) {
		f := fakeAhead(1)
		f.nanLossAt = 7
		return f, nil
	}
	if err := trainSettled(t, build, c, dir, &recorder{}); !errors.Is(err, ops.ErrNotFinite) {
		t.Fatalf("got %v, want ErrNotFinite", err)
	}
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	trainFake(t, c, dir, true)
	if text := log.String(); !strings.Contains(text, "train.learning_rate") || !strings.Contains(text, "episode=8") {
		t.Errorf("--resume logs %q", text)
	}
	if _, err := os.Stat(filepath.Join(dir, rundir.FailureFile)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the failed episode is still there (%v)", err)
	}
	path := filepath.Join(dir, rundir.FailureFile)
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Train.Episodes += 2
	trainFake(t, c, dir, true)
	if text := readFile(t, path); text != "{}" {
		t.Errorf("a foreign file is %q now", text)
	}
}
