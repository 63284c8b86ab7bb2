package sweep_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"pacia/internal/badinput"
	"pacia/sweep"
)

// options returns options of a sweep that makes its runs with fakeTrain.
func options(t *testing.T, dir string) sweep.Options {
	t.Helper()
	return sweep.Options{Dir: dir, Program: []string{fake(t)}, Only: -1, Watch: func(sweep.Run, sweep.State) {}}
}

// makeRuns begins a plan in o.Dir and makes its runs.
func makeRuns(t *testing.T, p *sweep.Plan, o sweep.Options) []sweep.State {
	t.Helper()
	if err := p.Begin(o.Dir); err != nil {
		t.Fatal(err)
	}
	states, err := p.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return states
}

// starts counts how often a run was started.
func starts(t *testing.T, dir, name string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "logs", name+".out"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), "start with ")
}

// Failed and killed runs are kept with their reasons, and do not stop the others. A
// sweep that is started again repeats failed runs only with Retry.
func TestFailuresDoNotStopTheRest(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	p := read(t, "set: {train.episodes: 2}\ngrid: {model.width: [13, 14, 15, 16]}\nper_device: 2")
	o := options(t, t.TempDir())
	for range 2 {
		states := makeRuns(t, p, o)
		for i, want := range []sweep.State{
			{Status: sweep.Failed, Exit: 1, Reason: "episode 3: the loss is not a finite number"},
			{Status: sweep.Failed, Exit: -1, Reason: "killed by SIGKILL (the machine may have run out of memory)"},
			{Status: sweep.Finished}, {Status: sweep.Finished},
		} {
			if s := states[i]; s.Status != want.Status || s.Exit != want.Exit || s.Reason != want.Reason {
				t.Errorf("run %d: %+v, want %+v", i, s, want)
			}
			if n := starts(t, o.Dir, p.Runs[i].Name); n != 1 {
				t.Errorf("run %d was started %d times", i, n)
			}
		}
	}
	o.Retry = true
	makeRuns(t, p, o)
	if n := starts(t, o.Dir, p.Runs[0].Name); n != 2 {
		t.Errorf("with Retry the failed run was started %d times in all", n)
	}
	if n := starts(t, o.Dir, p.Runs[2].Name); n != 1 {
		t.Errorf("the finished run was started %d times", n)
	}
	text, err := os.ReadFile(filepath.Join(o.Dir, "state", p.Runs[0].Name+".json"))
	if err != nil || strings.Count(string(text), "\n") != 1 {
		t.Errorf("the state is not a line: %q (%v)", text, err)
	}
}

// At most the allowed number of runs are running on a device, and all devices are used.
func TestLimitOfEachDevice(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	p := read(t, "set: {train.episodes: 5}\nseeds: 9\ndevices: [cuda:0, cuda:1]\nper_device: 2")
	o := options(t, t.TempDir())
	under, most := map[string]int{}, map[string]int{}
	o.Watch = func(_ sweep.Run, s sweep.State) {
		if s.Status == sweep.Running {
			under[s.Device]++
		} else {
			under[s.Device]--
		}
		most[s.Device] = max(most[s.Device], under[s.Device])
	}
	states := makeRuns(t, p, o)
	if n := sweep.Count(states, sweep.Finished); n != 9 {
		t.Errorf("%d of 9 runs have finished", n)
	}
	if len(most) != 2 || most["cuda:0"] != 2 || most["cuda:1"] != 2 {
		t.Errorf("most runs at a time: %v", most)
	}
}

// When the context ends, as after SIGINT, the runs save and end, and later continue from
// there.
func TestStoppedRunsGoOn(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	p := read(t, "set: {train.episodes: 60}\nseeds: 3\nper_device: 2")
	o := options(t, t.TempDir())
	if err := p.Begin(o.Dir); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var begun atomic.Int32
	o.Watch = func(_ sweep.Run, s sweep.State) {
		if s.Status == sweep.Running && begun.Add(1) == 2 {
			time.AfterFunc(300*time.Millisecond, stop)
		}
	}
	states, err := p.Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []sweep.Status{sweep.Stopped, sweep.Stopped, sweep.Waiting} {
		if states[i].Status != want {
			t.Errorf("run %d: %+v, want %s", i, states[i], want)
		}
	}
	if n := sweep.Count(makeRuns(t, p, o), sweep.Finished); n != 3 {
		t.Errorf("then %d of 3 runs have finished", n)
	}
	for i := range 2 {
		text, err := os.ReadFile(filepath.Join(o.Dir, p.Runs[i].Name, "metrics.jsonl"))
		if err != nil || strings.Count(string(text), "\n") != 60 {
			t.Errorf("run %d has made %d episodes (%v), want 60: none is repeated", i, strings.Count(string(text), "\n"), err)
		}
	}
}

func TestOneSweepInAFolder(t *testing.T) {
	p := read(t, "set: {train.episodes: 1000}")
	o := options(t, t.TempDir())
	if err := p.Begin(o.Dir); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	begun, ended := make(chan bool, 2), make(chan error)
	o.Watch = func(sweep.Run, sweep.State) { begun <- true }
	go func() {
		_, err := p.Run(ctx, o)
		ended <- err
	}()
	<-begun
	if _, err := p.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), ": another pacia sweep is at work in this folder; ") {
		t.Errorf("a second one: %v", err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// The runs of a folder must agree with the file. More runs and more episodes may be
// added.
func TestAFolderKeepsItsRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	o := options(t, t.TempDir())
	makeRuns(t, read(t, "set: {train.episodes: 2}\ngrid: {model.width: [15]}"), o)
	states := makeRuns(t, read(t, "set: {train.episodes: 3}\ngrid: {model.width: [12, 15]}"), o)
	if n := sweep.Count(states, sweep.Finished); n != 2 || starts(t, o.Dir, "model.width=15,seed=0") != 2 {
		t.Errorf("with more episodes: %+v", states)
	}
	err := read(t, "set: {train.episodes: 2}\ngrid: {model.width: [12, 15]}").Begin(o.Dir)
	const made = "run model.width=12,seed=0 has made 3 episodes in "
	if err == nil || !badinput.Is(err) || !strings.Contains(err.Error(), made+o.Dir+", and train.episodes is 2; ") {
		t.Errorf("with fewer episodes: %v", err)
	}
	states, err = read(t, "set: {train.episodes: 3}\ngrid: {model.width: [12, 15]}").States(o.Dir)
	if err != nil || sweep.Count(states, sweep.Finished) != 2 {
		t.Errorf("after a plan with fewer episodes: %+v, %v", states, err)
	}
	forget(t, filepath.Join(o.Dir, "settings", "model.width=15,seed=0.yaml"), "jump:")
	if n := sweep.Count(makeRuns(t, read(t, "set: {train.episodes: 3}\ngrid: {model.width: [12, 15]}"), o), sweep.Finished); n != 2 {
		t.Errorf("%d runs have finished after one was planned without a setting that was added later, want 2", n)
	}
	err = read(t, "set: {train.episodes: 3, model.layers: 2}\ngrid: {model.width: [15]}").Begin(o.Dir)
	if err == nil || !badinput.Is(err) || !strings.Contains(err.Error(), "run model.width=15,seed=0 was planned in "+o.Dir+" with model.layers=3, now it is 2; ") {
		t.Errorf("with other layers: %v", err)
	}
}

// Environment variables are already part of a run's settings, and the file may override
// them.
func TestEnvironmentIsLaidUnderTheFile(t *testing.T) {
	t.Setenv("PACIA_TRAIN_EPISODES", "9")
	t.Setenv("PACIA_MODEL_WIDTH", "24")
	p := read(t, "set: {train.episodes: 2}")
	if c := p.Runs[0].Config; c.Train.Episodes != 2 || c.Model.Width != 24 {
		t.Errorf("%d episodes, width %d", c.Train.Episodes, c.Model.Width)
	}
	dir := t.TempDir()
	o := options(t, dir)
	o.Program = []string{"sh", "-c", "env >" + dir + "/env; exec \"$@\"", "sh", o.Program[0]}
	if s := makeRuns(t, p, o); s[0].Status != sweep.Finished {
		t.Errorf("%+v", s)
	}
	text, err := os.ReadFile(filepath.Join(dir, "env"))
	if err != nil || strings.Contains(string(text), "PACIA_TRAIN_EPISODES") {
		t.Errorf("the run sees (%v)\n%s", err, text)
	}
}

// When the sweep itself is killed, its runs get SIGTERM. The next sweep waits for them
// and continues.
func TestSweepThatIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	if os.Getenv("SWEEP_TEST_DIR") != "" {
		p, err := sweep.Read(os.Getenv("SWEEP_TEST_FILE"))
		if err != nil {
			t.Fatal(err)
		}
		makeRuns(t, p, options(t, os.Getenv("SWEEP_TEST_DIR")))
		return
	}
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "s.yaml")
	put(t, file, "set: {train.episodes: 50}\nseeds: 4\nper_device: 2")
	start := func() *exec.Cmd {
		c := exec.Command(os.Args[0], "-test.run", "^TestSweepThatIsKilled$")
		c.Env = append(os.Environ(), "SWEEP_TEST_DIR="+dir, "SWEEP_TEST_FILE="+file)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	lines := func() int {
		n := 0
		files, _ := filepath.Glob(filepath.Join(dir, "*", "metrics.jsonl"))
		for _, f := range files {
			text, _ := os.ReadFile(f)
			n += strings.Count(string(text), "\n")
		}
		return n
	}
	for _, until := range []int{20, 120} {
		c := start()
		for deadline := time.Now().Add(time.Minute); lines() < until; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d episodes within a minute, want %d", lines(), until)
			}
		}
		if err := c.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // it was killed
	}
	if err := start().Wait(); err != nil {
		t.Fatal(err)
	}
	p, err := sweep.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	states, err := p.States(dir)
	if err != nil || sweep.Count(states, sweep.Finished) != 4 || lines() != 200 {
		t.Errorf("%d episodes in all, want 200; %+v (%v)", lines(), states, err)
	}
}

// forget removes a setting from a file, which then is like one of an earlier version.
func forget(t *testing.T, file, name string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(strings.TrimSpace(line), name) {
			lines = append(lines, line)
		}
	}
	if left := strings.Join(lines, ""); len(left) == len(text) {
		t.Fatalf("%s has no %s", file, name)
	} else {
		put(t, file, left)
	}
}
