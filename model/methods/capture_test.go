package methods

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/harness/atencalls"
	"pacia/harness/modeltest"
	"pacia/internal/each"
	"pacia/internal/setting"
	"pacia/model"
)

// readsHost lists the operators that wait for the device to read a number or the size of their
// result. They must not run while a CUDA graph is captured.
var readsHost = []string{"_local_scalar_dense", "item", "is_nonzero", "equal", "allclose", "nonzero", "masked_select", "_unique2", "unique_dim",
	"unique_consecutive", "repeat_interleave", "bincount", "one_hot"}

// draws lists the operators that take random numbers from a generator. In a graph they would draw
// the same numbers each time, or fail.
var draws = []string{"bernoulli", "bernoulli_", "dropout", "native_dropout", "rand", "rand_like", "randn", "randn_like", "randint", "randperm",
	"uniform_", "normal_", "normal", "multinomial", "random_", "exponential_"}

// TestStepsCanBeCaptured: with every encoder and readout, a later step of a method without the trait
// ReadsHost reads nothing on the host, draws from no generator, and keeps no more memory than the
// step before. Pairs of encoder and readout change from method to method, and each is tested with
// at least one method.
func TestStepsCanBeCaptured(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	// Encoders with different work for batches of one shape are never captured.
	encoders := slices.DeleteFunc(choices(t, "encoder"), func(name string) bool {
		e, joined := model.Config{Encoder: name}.EncoderSpec()
		return joined || e.Reads.Varies
	})
	readouts, jumps := choices(t, "readout"), choices(t, "jump")
	if len(encoders) < 6 || len(readouts) < 4 {
		t.Fatalf("the encoders %v and the readouts %v: some are missing", encoders, readouts)
	}
	b := modeltest.Joined(t, modeltest.RandomStore(10, 10), modeltest.Task(0, 1, 2), modeltest.Task(4, 1, 3))
	turn, met := 0, map[[2]string]bool{}
	for _, spec := range All {
		if spec.Traits.Untrained || spec.Traits.ReadsHost {
			continue
		}
		for i, encoder := range encoders {
			k := (i + turn) % len(readouts)
			if whole(encoder) && readouts[k] == "combined" {
				continue // it weighs atoms
			}
			readout, preset, jump := readouts[k], []string{model.Paper, model.Reference}[(i+turn/2)%2], jumps[(2*i+turn)%len(jumps)]
			met[[2]string{encoder, readout}] = true
			t.Run(fmt.Sprintf("%s/%s/%s/%s", spec.Name, encoder, readout, jump), func(t *testing.T) {
				c := modeltest.Small(t, spec, preset)
				c.Encoder, c.Readout, c.Jump, c.Dropout = encoder, readout, jump, 0.3
				if encoder == "pna" {
					c.Width = 8
				}
				captured(t, modeltest.New(t, spec, c, model.Options{}), b)
			})
		}
		turn++
	}
	if want := len(encoders)*len(readouts) - each.Count(encoders, whole); len(met) != want {
		t.Errorf("of %d encoders and %d readouts %d pairs were tested, want %d", len(encoders), len(readouts), len(met), want)
	}
}

// whole reports whether an encoder has one row for each molecule, so that it does not go with the readout combined.
func whole(encoder string) bool {
	e, _ := model.Config{Encoder: encoder}.EncoderSpec()
	return e.Reads.Whole
}

// choices lists the possible values of a setting of a model.
func choices(t *testing.T, name string) []string {
	t.Helper()
	for _, s := range setting.List("", modeltest.Small(t, All[0], model.Paper)) {
		if s.Name == name {
			return s.Choices()
		}
	}
	t.Fatalf("there is no setting %s", name)
	return nil
}

// captured checks that the third step of a model can be captured. The first step registers the
// places of dropout, and gradients made in the second are freed in the third.
func captured(t *testing.T, m *model.Model, b *data.Batch) {
	t.Helper()
	if m.Traits().ReadsHost {
		t.Fatal("the model's trait ReadsHost is set")
	}
	modeltest.Emulated(t)
	b = modeltest.Readable(m, b)
	s, err := m.NewStepper(modeltest.Optimiser(t, m))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	step := func() {
		if err := s.Submit(b, 1); err != nil {
			t.Fatal(err)
		}
	}
	step()
	atencalls.Record(step)
	third := atencalls.Record(step)
	if len(third.Operators) == 0 {
		t.Error("no operator was recorded")
	}
	for name, n := range third.Operators {
		switch name := strings.TrimPrefix(name, "aten::"); {
		case slices.Contains(readsHost, name):
			t.Errorf("%s reads the device, %d times", name, n)
		case slices.Contains(draws, name):
			t.Errorf("%s draws from a generator, %d times", name, n)
		}
	}
	if third.Kept != 0 {
		t.Errorf("the step keeps %d bytes more than the one before", third.Kept)
	}
}

// TestDocsNameCapturedMethods: docs/gpu.md lists each trained method in the row for the way in
// which its steps are launched.
func TestDocsNameCapturedMethods(t *testing.T) {
	text, err := os.ReadFile("../../docs/gpu.md")
	if err != nil {
		t.Fatal(err)
	}
	row := func(begin string) string {
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, begin) {
				return line
			}
		}
		t.Fatalf("docs/gpu.md has no row %q", begin)
		return ""
	}
	captured, launched := row("| a graph |"), row("| kernel by kernel |")
	for _, spec := range All {
		if spec.Traits.Untrained {
			continue
		}
		want, other := captured, launched
		if spec.Traits.ReadsHost {
			want, other = launched, captured
		}
		name := "`" + spec.Name + "`"
		if !strings.Contains(want, name) || strings.Contains(other, name) && spec.Name != "proto" {
			t.Errorf("docs/gpu.md lists %s in the wrong row: ReadsHost is %v", name, spec.Traits.ReadsHost)
		}
	}
}

// TestHostReadsAreSeen: the test above detects the host reads of methods with the trait
// ReadsHost.
func TestHostReadsAreSeen(t *testing.T) {
	seen := map[string]int{}
	for _, spec := range All {
		if !spec.Traits.ReadsHost || spec.Traits.TrainingOnly != "" || spec.Traits.Untrained || len(seen) > 0 {
			continue
		}
		modeltest.Emulated(t)
		m := modeltest.New(t, spec, modeltest.Small(t, spec, model.Paper), model.Options{})
		b := modeltest.Readable(m, modeltest.StepperBatches(t)[0])
		calls := atencalls.Record(func() {
			if _, err := m.Backward(b, 1); err != nil {
				t.Fatal(err)
			}
		})
		for _, name := range readsHost {
			if n := calls.Operators["aten::"+name]; n > 0 {
				seen[name] += n
			}
		}
		t.Log(spec.Name, seen)
	}
	if len(seen) == 0 {
		t.Error("no host read was detected in any method that has them")
	}
}
