package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pacia/data"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/runconfig"
	"pacia/rundir"
	"pacia/safetensors"
)

const features = 16

// fake is a learner without tensors: logistic regression of the product of a
// molecule's counts of elements with the difference of the class means of its
// task's support, by gradient descent with momentum. Dropout multiplies the
// features. Its state depends on every number of every batch, and in order.
// It makes its steps as late as it may: when they are collected.
type fake struct {
	w, gradient, momentum []float32 // [features]
	steps                 int64
	nanLossAt, nanNormAt  int64                   // updates before the one that goes wrong; 0: never
	ahead                 int                     // steps before they must be collected
	lost                  func(doing string) bool // nil: its device never is
	submitted             []step
	atOnce                // makes the steps
}

func newFake(runconfig.Config, []int) (learner, error) { return fakeAhead(1), nil }

// fakeAhead returns a learner that takes so many steps before they are
// collected.
func fakeAhead(n int) *fake {
	f := &fake{w: make([]float32, features), momentum: make([]float32, features), gradient: make([]float32, features), ahead: n}
	f.atOnce = atOnce{model: f, optimiser: f}
	return f
}

func (f *fake) Ahead() int    { return f.ahead }
func (f *fake) Launches() int { return 0 }
func (f *fake) Close()        {}

func (f *fake) Submit(b *data.Batch, dropout uint64) error {
	f.submitted = append(f.submitted, step{Batch: b, Dropout: dropout})
	if len(f.submitted) > f.ahead {
		return fmt.Errorf("%d steps are submitted, %d are allowed", len(f.submitted), f.ahead)
	}
	return nil
}

func (f *fake) Collect() ([]Outcome, error) {
	submitted := f.submitted
	f.submitted = nil
	if err := f.gone("steps"); err != nil {
		return nil, err
	}
	for _, s := range submitted {
		if err := f.atOnce.Submit(s.Batch, s.Dropout); err != nil {
			return nil, err
		}
	}
	return f.atOnce.Collect()
}

// gone returns what a device that is lost answers.
func (f *fake) gone(doing string) error {
	if f.lost == nil || !f.lost(doing) {
		return nil
	}
	return fmt.Errorf("CUDA error: unspecified launch failure: %w", ops.ErrDeviceLost)
}

// idle panics where the model is looked at while steps are under way.
func (f *fake) idle() {
	if len(f.submitted) > 0 {
		panic(fmt.Sprintf("the model is looked at while %d steps are under way", len(f.submitted)))
	}
}

// counts returns a molecule's share of each element, hashed to [features].
func counts(b *data.Batch, molecule int32) []float32 {
	f := make([]float32, features)
	first, end := b.MolPtr[molecule], b.MolPtr[molecule+1]
	for a := first; a < end; a++ {
		f[int(b.Atoms[2*a])%features] += 1 / float32(end-first)
	}
	return f
}

// contrast returns the mean of the active support molecules of a task less
// that of the inactive ones.
func contrast(b *data.Batch, task int) []float32 {
	c := make([]float32, features)
	for i := task * b.Support; i < (task+1)*b.Support; i++ {
		sign := 2*float32(b.SupportLabel[i]) - 1
		for k, v := range counts(b, b.SupportMol[i]) {
			c[k] += sign * v / float32(b.Shots)
		}
	}
	return c
}

func (f *fake) Prepare(b *data.Batch) { b.Refine(1) }

func (f *fake) Backward(b *data.Batch, dropout uint64) (float64, error) {
	if len(b.Levels) != 2 {
		return 0, errors.New("the batch was not prepared")
	}
	if f.nanLossAt > 0 && f.steps == f.nanLossAt {
		return math.NaN(), nil
	}
	r := rand.New(rand.NewPCG(dropout, 0))
	var loss float64
	for q, molecule := range b.QueryMol {
		x, c := counts(b, molecule), contrast(b, int(b.QueryTask[q]))
		var z float32
		for k := range x {
			x[k] *= c[k] * float32(r.IntN(2))
			z += f.w[k] * x[k]
		}
		p := 1 / (1 + math.Exp(-float64(z)))
		loss -= math.Log(math.Abs(float64(1-b.QueryLabel[q]) - p))
		for k := range x {
			f.gradient[k] += float32(p-float64(b.QueryLabel[q])) * x[k]
		}
	}
	return loss / float64(len(b.QueryMol)), nil
}

func (f *fake) Step() (float64, error) {
	if f.nanNormAt > 0 && f.steps == f.nanNormAt {
		return 0, fmt.Errorf("gradient: %w", ops.ErrNotFinite)
	}
	var square float64
	for k, g := range f.gradient {
		square += float64(g) * float64(g)
		f.momentum[k] = 0.9*f.momentum[k] + g
		f.w[k] -= 0.1 * f.momentum[k]
		f.gradient[k] = 0
	}
	f.steps++
	return math.Sqrt(square), nil
}

func (f *fake) Adapt(b *data.Batch) (adapted, error) {
	f.idle()
	if err := f.gone("evaluation"); err != nil {
		return nil, err
	}
	if b.Tasks != 1 || len(b.QueryMol) != 0 {
		return nil, fmt.Errorf("%d tasks and %d queries in a support batch", b.Tasks, len(b.QueryMol))
	}
	return &fakeAdapted{contrast(b, 0), f.w}, nil
}

type fakeAdapted struct{ contrast, w []float32 }

func (a *fakeAdapted) Device() ops.Device { return ops.CPU }

func (a *fakeAdapted) Prepare(*data.Batch) {}

func (a *fakeAdapted) Score(b *data.Batch) (probability []float32, depth []int32, err error) {
	for _, molecule := range b.QueryMol {
		var z float32
		for k, v := range counts(b, molecule) {
			z += (1 + a.w[k]) * v * a.contrast[k]
		}
		probability = append(probability, 1/(1+float32(math.Exp(-float64(z)))))
	}
	return probability, make([]int32, len(probability)), nil
}

func (a *fakeAdapted) Drop() {}

func (f *fake) State() []variable {
	f.idle()
	of := func(name string, values []float32) variable {
		return variable{
			Name: name, Shape: []int64{features},
			Read:  func() ([]float32, error) { return slices.Clone(values), f.gone("save") },
			Write: func(v []float32) error { copy(values, v); return nil },
		}
	}
	return []variable{of("w", f.w), of(optimiserPrefix+"m.w", f.momentum)}
}

func (f *fake) Steps() int64     { return f.steps }
func (f *fake) SetSteps(n int64) { f.steps = n }
func (f *fake) Parts() ([]model.PartCount, int) {
	return []model.PartCount{{Part: "all", Count: features}}, 3
}
func (f *fake) Tensors() int64 { return 0 }

func (f *fake) Drop() {
	if f.gone("drop") != nil {
		panic("tensors of a device that is lost are dropped")
	}
}

// recorder is a Reporter that remembers.
type recorder struct {
	start       StartInfo
	steps       []rundir.Step
	evaluations []rundir.Evaluation
	done        *rundir.Summary
	onStep      func(episode int)
}

func (r *recorder) Start(s StartInfo)              { r.start = s }
func (r *recorder) Evaluation(e rundir.Evaluation) { r.evaluations = append(r.evaluations, e) }
func (r *recorder) Done(s rundir.Summary)          { r.done = &s }
func (r *recorder) Step(s rundir.Step) {
	r.steps = append(r.steps, s)
	if r.onStep != nil {
		r.onStep(s.Episode)
	}
}

// testConfig returns valid settings of a tiny run.
func testConfig(t *testing.T) runconfig.Config {
	t.Helper()
	m, err := methods.ForPreset(model.Paper, methods.Default)
	if err != nil {
		t.Fatal(err)
	}
	c, err := runconfig.ForPreset(model.Paper)
	if err != nil {
		t.Fatal(err)
	}
	c.Episodes, c.TasksPerStep, c.EvaluateEvery, c.CheckpointEvery = 12, 2, 4, 3
	return runconfig.Config{
		Seed: 7, Threads: 1, Device: "cpu", Precision: "float32",
		Data:  runconfig.Data{Path: "embedded", Split: "auto", SMILES: "smiles"},
		Model: m, Episode: runconfig.Episode{Shots: 2, Queries: 4}, Train: c,
	}
}

// assaysConfig returns settings of a short run on testdata/assays.csv: five
// training tasks, two test tasks.
func assaysConfig(t *testing.T) runconfig.Config {
	t.Helper()
	c := testConfig(t)
	c.Data = runconfig.Data{Path: "testdata/assays.csv", Split: "0-4/5-6", SMILES: "smiles", Cache: t.TempDir()}
	return c
}

// trainFake runs to the end.
func trainFake(t *testing.T, c runconfig.Config, dir string, resume bool) (*recorder, rundir.Summary) {
	t.Helper()
	rec := &recorder{}
	s, err := runWith(context.Background(), newFake, c, dir, resume, rec)
	if err != nil {
		t.Fatal(err)
	}
	return rec, s
}

// content returns a checkpoint's tensors as one readable string, with every
// bit of them, and what it says about the run, less the time it took.
func content(t *testing.T, path string) (tensors map[string][]uint32, meta Meta) {
	t.Helper()
	c, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	tensors = map[string][]uint32{}
	for _, v := range c.file.Tensors {
		tensors[v.Name] = bits(t, v)
	}
	meta = c.Meta
	meta.Config.Data.Cache, meta.Progress = "", timeless(meta.Progress)
	return tensors, meta
}

func bits(t *testing.T, v safetensors.Tensor) []uint32 {
	t.Helper()
	values, err := v.Read()
	if err != nil {
		t.Fatal(err)
	}
	list := make([]uint32, len(values))
	for i, x := range values {
		list[i] = math.Float32bits(x)
	}
	return list
}

func timeless(p Progress) Progress {
	p.Seconds = 0
	for _, e := range []**rundir.Evaluation{&p.Last, &p.BestValidation, &p.BestTest} {
		if *e != nil {
			c := **e
			c.Seconds = 0
			*e = &c
		}
	}
	return p
}

// files returns the content of all files below dir, by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(text)
	}
	return all
}
