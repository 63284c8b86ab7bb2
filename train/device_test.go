package train

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pacia/ops"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// onKernels returns a builder and settings of runs that take the steps of a GPU. They
// run on the device that PACIA_TEST_DEVICE names, such as cuda, with its lanes for
// evaluations. Otherwise steps run on the emulator, and evaluations, which have their own
// threads, on the loops.
func onKernels(c runconfig.Config) (builder, runconfig.Config) {
	if name := os.Getenv("PACIA_TEST_DEVICE"); name != "" {
		c.Device = name
		return newTrainee, c
	}
	return newEmulated, c
}

// newEmulated is newTrainee with the stepper of a GPU. Its OS thread is on the emulator
// until the learner is dropped.
func newEmulated(c runconfig.Config, tasks []int) (learner, error) {
	ops.Emulate(true)
	l, err := newTrainee(c, tasks)
	if err != nil {
		ops.Emulate(false)
		return nil, err
	}
	p := l.(*trainee)
	s, err := p.NewStepper(p.Adam)
	if err != nil {
		p.Drop()
		ops.Emulate(false)
		return nil, err
	}
	p.stepper = s
	return emulatedTrainee{p}, nil
}

type emulatedTrainee struct{ *trainee }

func (e emulatedTrainee) Drop() {
	e.trainee.Drop()
	ops.Emulate(false)
}

// runWithSteps runs a configuration and returns its losses.
func runWithSteps(t *testing.T, build builder, c runconfig.Config, dir string, resume bool) []rundir.Step {
	t.Helper()
	rec := &recorder{}
	err := ops.Pinned(1, func() error {
		defer ops.Emulate(false)
		_, err := runWith(context.Background(), build, c, dir, resume, rec)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return rec.steps
}

// TestARunOnKernels trains with the steps of a GPU, many of them under way at
// once, resumes, and compares with a run on the loops. In float32 the order of
// summation changes results by 1e-7, and Adam's first steps amplify this. Over 20
// steps, a difference above 2 % of a loss is a mistake.
func TestARunOnKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c := tinyConfig(t)
	c.Train.Episodes, c.Train.EvaluateEvery, c.Train.CheckpointEvery = 20, 10, 7
	c.Train.LearningRate = 1e-3
	want := runWithSteps(t, newTrainee, c, t.TempDir(), false)
	dir := t.TempDir()
	build, onDevice := onKernels(c)
	got := runWithSteps(t, build, onDevice, dir, false)
	if len(got) != len(want) {
		t.Fatalf("%d steps, want %d", len(got), len(want))
	}
	for i := range got {
		if g, w := got[i].Loss, want[i].Loss; got[i].Episode != want[i].Episode || math.Abs(g-w) > 0.02*w {
			t.Errorf("episode %d: loss %v, on the loops %v of episode %d", got[i].Episode, g, w, want[i].Episode)
		}
	}
	_, meta := content(t, filepath.Join(dir, rundir.LastFile))
	if meta.AdamSteps != 20 {
		t.Errorf("last.ckpt counts %d updates, want 20", meta.AdamSteps)
	}
}

// TestResumedRunOnKernels: a run continues from a checkpoint bit for bit.
func TestResumedRunOnKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c := tinyConfig(t)
	c.Train.Episodes, c.Train.EvaluateEvery, c.Train.CheckpointEvery = 8, 4, 4
	build, c := onKernels(c)
	whole := runWithSteps(t, build, c, t.TempDir(), false)
	dir := t.TempDir()
	rec := &recorder{}
	ctx, stop := context.WithCancel(context.Background())
	rec.onStep = func(episode int) {
		if episode == 4 {
			stop()
		}
	}
	err := ops.Pinned(1, func() error {
		defer ops.Emulate(false)
		_, err := runWith(ctx, build, c, dir, false, rec)
		return err
	})
	if err == nil {
		t.Fatal("the run did not stop")
	}
	rest := runWithSteps(t, build, c, dir, true)
	if len(rest) == 0 || len(rest) == len(whole) {
		t.Fatalf("%d of %d steps were made after the resumption", len(rest), len(whole))
	}
	for i, s := range rest {
		if w := whole[len(whole)-len(rest)+i]; s.Episode != w.Episode || s.Loss != w.Loss || s.GradNorm != w.GradNorm {
			t.Errorf("episode %d: loss %v, norm %v; without a stop %v, %v", s.Episode, s.Loss, s.GradNorm, w.Loss, w.GradNorm)
		}
	}
}

// TestReplicasOnKernels: side by side, on threads that take turns at the device, they
// give bit for bit what each gives alone, and so does a run that is made twice. Users train
// about ten; 33 are more than libtorch has streams. Without streams, on the emulator, two suffice.
func TestReplicasOnKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, n := range []int{2, 10, 33} {
		t.Run(fmt.Sprint(n), func(t *testing.T) { testReplicasOnKernels(t, n) })
	}
}

func testReplicasOnKernels(t *testing.T, n int) {
	c, dir := tinyConfig(t), t.TempDir()
	c.Train.Episodes, c.Train.EvaluateEvery, c.Train.CheckpointEvery = 4, 2, 2
	build, c := onKernels(c)
	c.Train.Replicas = n
	if c.Device == runconfig.CPU {
		if n > 2 {
			t.Skip("needs a GPU: set PACIA_TEST_DEVICE=cuda")
		}
		c.Threads = n // the number of replicas side by side; on a GPU all run at once
	}
	if _, err := replicasWith(context.Background(), build, c, dir, false, &choir{}); err != nil {
		t.Fatal(err)
	}
	for _, i := range []uint64{0, uint64(n - 1)} {
		sameEnd(t, fmt.Sprintf("seed %d", c.Seed+i), seedDir(dir, c.Seed+i), alone(t, build, c, c.Seed+i))
	}
}
