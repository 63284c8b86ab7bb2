package pretrain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/internal/safetensors"
	"pacia/ops"
)

// silent is a reporter that may stop the run after some steps.
type silent struct {
	after int
	stop  context.CancelFunc
}

func (silent) Begin(Info)     {}
func (silent) Measured(Entry) {}
func (s silent) Step(step int, _ float64) {
	if s.stop != nil && step == s.after {
		s.stop()
	}
}

// pretrain runs on one thread.
func pretrain(ctx context.Context, o Options, l *Library, dir string, rep Reporter) (s Summary, err error) {
	err = ops.Pinned(1, func() (err error) {
		s, err = Run(ctx, o, l, dir, false, rep)
		return err
	})
	return s, err
}

// everyTask lists all tasks.
var everyTask = []string{Masking, Context, Edges, Infomax, Supervised, GraphMAE, GraphLoG, MGSSL}

func quick(task string, steps int) Options {
	o := Default()
	o.Task, o.Layers, o.Width, o.Batch, o.Steps, o.LearningRate = task, 3, 24, 32, steps, 0.01
	return o
}

// TestLearning: after some hundred steps hidden atoms and bonds of molecules
// outside the training part are predicted far better than by their frequencies,
// and contexts better than by guessing. This must hold for two of three seeds:
// rounding differs between processors, which has the effect of another seed.
func TestLearning(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	l := library(t)
	rate := func(o Options, rate float64) Options { o.LearningRate = rate; return o }
	flat := func(o Options) Options { o.Layers = 2; return o } // needs fewer steps
	atoms := quick(Masking, 400)
	atoms.Bonds = true
	deep := flat(rate(quick(MGSSL, 120), 0.004))
	deep.Order, deep.Rare = DepthFirst, 3
	levels := rate(quick(MGSSL, 120), 0.006)
	levels.Levels = true
	for name, tt := range map[string]struct {
		o    Options
		most float64 // largest loss, relative to the loss without an encoder
	}{
		"masking": {atoms, 0.7}, "context": {flat(rate(quick(Context, 150), 0.003)), 0.95}, "edges": {quick(Edges, 200), 0.95},
		"infomax": {rate(quick(Infomax, 400), 0.0005), 0.85}, "supervised": {rate(quick(Supervised, 120), 0.002), 0.85},
		"graphmae": {rate(quick(GraphMAE, 200), 0.005), 0.9}, "graphlog": {quick(GraphLoG, 80), 0.6},
		"mgssl": {flat(rate(quick(MGSSL, 120), 0.004)), 0.9}, "mgssl depth first": {deep, 0.9}, "mgssl levels": {levels, 0.95},
	} {
		t.Run(name, func(t *testing.T) { learns(t, l, tt.o, tt.most) })
	}
}

// learns trains until two seeds have learnt, or two have not.
func learns(t *testing.T, l *Library, o Options, most float64) {
	t.Helper()
	var bad []string
	for good := 0; good < 2 && len(bad) < 2; o.Seed++ {
		s, err := pretrain(t.Context(), o, l, t.TempDir(), silent{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("seed %d: without %+v, before %+v, after %+v", o.Seed, s.Without, s.Before, s.After)
		if s.Before.Loss < s.Without.Loss && o.Task != GraphLoG && o.Task != Supervised {
			t.Errorf("the loss before the first step is %.4f, less than %.4f by frequencies alone", s.Before.Loss, s.Without.Loss)
		}
		if lacks := lacking(s, o, most); lacks != "" {
			bad = append(bad, lacks)
		} else {
			good++
		}
	}
	if len(bad) == 2 {
		t.Errorf("two of three seeds: %s", strings.Join(bad, "; "))
	}
}

// lacking describes what a run has not learnt, or returns "".
func lacking(s Summary, o Options, most float64) string {
	for i, part := range s.Without.Parts {
		gain, less := s.After.Parts[i].Accuracy-part.Accuracy, part.Loss-s.After.Parts[i].Loss
		if gain <= 0 && (!o.Levels || less <= 0) { // of several parts the largest is learnt first
			return fmt.Sprintf("of %s %.4f more are right than by the frequencies, and the loss is %.4f less", part.Name, gain, less)
		}
	}
	if r := s.After.Loss / s.Without.Loss; r > most {
		return fmt.Sprintf("the loss is %.3f of that by the frequencies, want %.2f at most", r, most)
	}
	return ""
}

// files reads the files of a run, without their times.
func files(t *testing.T, dir string) (encoder, log []byte) {
	t.Helper()
	encoder, err := os.ReadFile(filepath.Join(dir, EncoderFile))
	if err == nil {
		log, err = os.ReadFile(filepath.Join(dir, LogFile))
	}
	if err != nil {
		t.Fatal(err)
	}
	return encoder, log
}

// TestSameSeed: the files are equal for equal seeds and differ for different ones.
func TestSameSeed(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	l := first300(t)
	for _, task := range []string{Masking, Context} { // TestResume has the others
		o := quick(task, 12)
		o.Dropout = 0.2
		var dirs []string
		for _, seed := range []uint64{4, 4, 5} {
			o.Seed = seed
			dirs = append(dirs, t.TempDir())
			if _, err := pretrain(t.Context(), o, l, dirs[len(dirs)-1], silent{}); err != nil {
				t.Fatal(err)
			}
		}
		encoder, log := files(t, dirs[0])
		again, logAgain := files(t, dirs[1])
		if !bytes.Equal(encoder, again) || !bytes.Equal(log, logAgain) {
			t.Errorf("%s: the same seed left something else", o.Task)
		}
		if other, logOther := files(t, dirs[2]); bytes.Equal(encoder, other) || bytes.Equal(log, logOther) {
			t.Errorf("%s: another seed left the same", o.Task)
		}
	}
}

// TestStopped: a stopped run writes the weights learnt so far, which equal those of a
// run with that number of steps.
func TestStopped(t *testing.T) {
	l := first300(t)
	o := quick(Masking, 7)
	whole := t.TempDir()
	if _, err := pretrain(t.Context(), o, l, whole, silent{}); err != nil {
		t.Fatal(err)
	}
	o.Steps = 1_000_000
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	dir := t.TempDir()
	s, err := pretrain(ctx, o, l, dir, silent{after: 7, stop: stop})
	if !errors.Is(err, ErrStopped) || !s.Stopped || s.StepsDone != 7 {
		t.Fatalf("error %v, summary %+v", err, s)
	}
	if got, want := weights(t, dir), weights(t, whole); !slices.Equal(got, want) {
		t.Error("the encoder is not that of 7 steps")
	}
	var written Summary
	text, err := os.ReadFile(filepath.Join(dir, SummaryFile))
	if err == nil {
		err = json.Unmarshal(text, &written)
	}
	if err != nil || written.StepsDone != 7 || !written.Stopped || written.After.Loss != s.After.Loss {
		t.Errorf("summary %+v (%v), want that of 7 steps", written, err)
	}
}

func weights(t *testing.T, dir string) (all []float32) {
	t.Helper()
	f, err := safetensors.Open(filepath.Join(dir, EncoderFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, tensor := range f.Tensors {
		if !strings.HasPrefix(tensor.Name, "encoder.") {
			t.Errorf("%s is not of the encoder", tensor.Name)
		}
		values, err := tensor.Read()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, values...)
	}
	return all
}

// TestEpochs: an epoch has every molecule once, without an incomplete batch and the
// molecules held out.
func TestEpochs(t *testing.T) {
	l := library(t)
	r := &run{Options: Options{Batch: 64, Seed: 2}}
	r.learn, r.held = split(l.rows, 2)
	if len(r.learn)+len(r.held) != l.Len() || len(r.held) != l.Len()/heldOut {
		t.Errorf("%d to learn from and %d held out of %d", len(r.learn), len(r.held), l.Len())
	}
	order := r.shuffled()
	r.step = r.perEpoch()
	next := r.shuffled()
	if slices.Equal(order, next) || slices.Equal(order, r.learn) {
		t.Error("two epochs have one order")
	}
	slices.Sort(order)
	learn := append(slices.Clone(r.learn), r.held...)
	slices.Sort(learn)
	slices.Sort(r.held)
	for _, row := range order {
		if _, held := slices.BinarySearch(r.held, row); held {
			t.Errorf("molecule %d is held out", row)
		}
	}
	if len(slices.Compact(order)) != len(r.learn) || len(slices.Compact(learn)) != l.Len() {
		t.Error("a molecule is there twice")
	}
	if got, want := r.epoch(), 1; got != want {
		t.Errorf("step %d is of epoch %d, want %d", r.step, got, want)
	}
	r.step++
	if got, want := r.epoch(), 2; got != want {
		t.Errorf("step %d is of epoch %d, want %d", r.step, got, want)
	}
}

// TestTensors: a run frees all tensors that it makes, and a step makes few.
func TestTensors(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	l := library(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, task := range everyTask {
		o := quick(task, 4)
		o.Bonds = o.Task == Masking
		before := len(ts.ExistingTensors)
		for _, steps := range []int{4, 24} {
			o.Steps = steps
			made := ops.TensorsMade()
			if _, err := pretrain(t.Context(), o, l, t.TempDir(), silent{}); err != nil {
				t.Fatal(err)
			}
			if n := len(ts.ExistingTensors); n != before {
				t.Errorf("%s: %d steps leak %d tensors", o.Task, steps, n-before)
			}
			most := int64(150)
			if task == MGSSL {
				most = 350 // about ten waves of messages with twenty tensors each
			}
			if n := (ops.TensorsMade() - made) / int64(steps); steps == 24 && n > most {
				t.Errorf("%s: %d tensors a step", o.Task, n)
			}
		}
	}
}
