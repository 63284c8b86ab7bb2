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

// Names of the environment variables that make the test binary, started as a
// child of itself, train.
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

// child trains with --resume and says on its output, line by line, where it is.
func child(dir string) error {
	c, err := runconfig.Decode([]byte(os.Getenv(childConfig)))
	if err != nil {
		return err
	}
	build := func(c runconfig.Config, tasks []int) (learner, error) {
		l, err := learners[os.Getenv(childLearner)](c, tasks)
		return talkative{l}, err
	}
	rec := &recorder{onStep: func(episode int) { say("step", episode) }}
	return ops.Pinned(c.Threads, func() error {
		_, err := runWith(context.Background(), build, c, dir, true, rec)
		return err
	})
}

// say writes a line and waits until it was read: otherwise a busy machine could
// let the process end before it is killed.
func say(words ...any) {
	fmt.Println(words...)
	_, _ = os.Stdin.Read(make([]byte, 1)) // at the end of the input, on we go
}

// talkative says when it is evaluated, and when it is being saved: between the
// two lines of a tensor the checkpoint is half-written.
type talkative struct{ learner }

func (t talkative) State() []checkpoint.Variable {
	state := t.learner.State()
	for i, v := range state {
		state[i].Read = func() ([]float32, error) {
			say("saving", v.Name)
			defer say("read", v.Name)
			return v.Read()
		}
	}
	return state
}

// TestKilledRunsEndLikeOneThatWasNot kills a training process, with SIGKILL,
// at lines drawn at random of what it says and a moment later, resumes it, and
// so on until it has trained to its end.
func TestKilledRunsEndLikeOneThatWasNot(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, tt := range []struct {
		learner         string
		episodes, kills int
		lines           int // a process is killed within so many
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

// runChild trains in a process of its own and kills it a moment after the given
// line of its output; a negative line spares it. It reports whether the process
// came to its end.
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
	heard, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var killed bool
	said := bufio.NewScanner(out)
	for n := 0; said.Scan(); n++ {
		_, _ = heard.Write([]byte{'\n'}) // the process may be gone
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
