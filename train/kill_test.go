package train

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"pacia/ops"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
)

// Environment variables that make the test binary, started as its own child, train.
const (
	childDir     = "PACIA_TEST_DIR"
	childConfig  = "PACIA_TEST_CONFIG"
	childLearner = "PACIA_TEST_LEARNER"
)

var learners = map[string]builder{"fake": newFake, "pacia": newTrainee}

func TestMain(m *testing.M) {
	ops.SetThreads(1) // or each evaluation outside of ops.Pinned would start threads anew
	if dir := os.Getenv(childDir); dir != "" {
		if err := child(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// child trains with --resume and prints a line for each step and each tensor saved.
func child(dir string) error {
	c, err := runconfig.Decode([]byte(os.Getenv(childConfig)))
	if err != nil {
		return err
	}
	build := func(c runconfig.Config, tasks []int) (learner, error) {
		l, err := learners[os.Getenv(childLearner)](c, tasks)
		return announcing{l}, err
	}
	rec := &recorder{onStep: func(episode int) { announce("step", episode) }}
	return ops.Pinned(c.Threads, func() error {
		_, err := runWith(context.Background(), build, c, dir, true, rec)
		return err
	})
}

// announce prints a line and waits until the parent has read it. Otherwise the process
// could end before it is killed on a busy machine.
func announce(words ...any) {
	fmt.Println(words...)
	_, _ = os.Stdin.Read(make([]byte, 1)) // at the end of the input, go on
}

// announcing is a learner that prints a line before and after each tensor is saved. A
// process that is killed between the two leaves a half-written checkpoint.
type announcing struct{ learner }

func (t announcing) State() []checkpoint.Variable {
	state := t.learner.State()
	for i, v := range state {
		state[i].Read = func() ([]float32, error) {
			announce("saving", v.Name)
			defer announce("read", v.Name)
			return v.Read()
		}
	}
	return state
}

// TestKilledRunsEndLikeOneThatWasNot kills a training process with SIGKILL, up to 3 ms
// after a random line of its output, and resumes it, until the run is finished.
func TestKilledRunsEndLikeOneThatWasNot(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, tt := range []struct {
		learner         string
		episodes, kills int
		lines           int // a process is killed within this number of lines
	}{
		{"fake", 40, 16, 14},
		{"pacia", 8, 5, 900},
	} {
		t.Run(tt.learner, func(t *testing.T) {
			t.Parallel()
			c := tinyConfig(t)
			c.Train.Episodes, c.Train.CheckpointEvery, c.Train.EvaluateEvery = tt.episodes, 2, 3
			whole, dir := t.TempDir(), t.TempDir()
			if !runChild(t, c, tt.learner, whole, -1, 0) {
				t.Fatal("the run that is not killed does not end")
			}
			r := rand.New(rand.NewPCG(3, 4))
			var kills int
			for kills < tt.kills && !runChild(t, c, tt.learner, dir, r.IntN(tt.lines), time.Duration(r.IntN(3000))*time.Microsecond) {
				kills++
			}
			if kills < tt.kills/2 {
				t.Errorf("the run ended after %d kills: too few to show anything", kills)
			}
			if kills == tt.kills && !runChild(t, c, tt.learner, dir, -1, 0) {
				t.Fatal("the last run does not end")
			}
			sameEnd(t, tt.learner, dir, whole)
		})
	}
}

// runChild trains in a child process and kills it after the given line of its output
// and moment; a negative line lets it finish. It reports whether the process finished.
func runChild(t *testing.T, c runconfig.Config, learner, dir string, line int, moment time.Duration) (ended bool) {
	t.Helper()
	config, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir, childConfig+"="+string(config), childLearner+"="+learner)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	acknowledge, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var killed bool
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		_, _ = acknowledge.Write([]byte{'\n'}) // the process may be gone
		if n == line {
			time.Sleep(moment)
			killed = cmd.Process.Kill() == nil
		}
	}
	err = cmd.Wait()
	if err != nil && !killed {
		t.Fatalf("the training process failed: %v", err)
	}
	return err == nil
}
