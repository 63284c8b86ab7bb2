package train

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pacia/harness/runtest"
	"pacia/internal/safetensors"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// recorder is a Reporter that records what it receives.
type recorder struct {
	start       StartInfo
	steps       []rundir.Step
	evaluations []rundir.Evaluation
	selected    []rundir.Evaluation // evaluations of the selected model at the end
	done        *rundir.Summary
	onStep      func(number int) // of the step
}

func (r *recorder) Start(s StartInfo)     { r.start = s }
func (r *recorder) Done(s rundir.Summary) { r.done = &s }
func (r *recorder) Evaluation(e rundir.Evaluation) {
	if e.Selected {
		r.selected = append(r.selected, e)
	} else {
		r.evaluations = append(r.evaluations, e)
	}
}
func (r *recorder) Step(s rundir.Step) {
	r.steps = append(r.steps, s)
	if r.onStep != nil {
		r.onStep(max(s.Step, s.Episode))
	}
}

// assaysConfig returns settings of a short run on testdata/assays.csv: five
// training tasks, two test tasks.
func assaysConfig(t *testing.T) runconfig.Config {
	t.Helper()
	c := runtest.Config(t)
	c.Data = runconfig.Data{Path: "testdata/assays.csv", Split: "0-4/5-6", SMILES: "smiles", Repeats: "keep", Cache: t.TempDir()} // it has molecules twice
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

// content returns the bits of a checkpoint's tensors by name, and its description
// of the run without times.
func content(t *testing.T, path string) (tensors map[string][]uint32, meta checkpoint.Meta) {
	t.Helper()
	c, err := checkpoint.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	file, err := safetensors.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	tensors = map[string][]uint32{}
	for _, v := range file.Tensors {
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

func timeless(p checkpoint.Progress) checkpoint.Progress {
	p.Metrics = nil // a checksum of lines with times
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
		if e.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(text)
	}
	return all
}
