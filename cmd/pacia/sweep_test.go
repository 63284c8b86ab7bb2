package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pacia/sweep"
)

// asPacia is the environment variable that makes the test binary, started as a
// child of itself, run as pacia.
const asPacia = "TEST_AS_PACIA"

func TestMain(m *testing.M) {
	if os.Getenv(asPacia) != "" {
		os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

const twoByTwo = `
config: small.yaml
set: {train.episodes: 12}
seeds: [0, 1]
grid: {model.relation.layers: [1, 2]}
per_device: 2
`

// A sweep that is killed twice and started again ends with the four results of an
// undisturbed one.
func TestSweepKilledTwice(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "s.yaml", twoByTwo)
	t.Setenv(asPacia, "1")
	start := func() *exec.Cmd {
		c := exec.Command(os.Args[0], "sweep", "s.yaml", "--out", "out")
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	episodes := func() (n int) {
		files, _ := filepath.Glob("out/*/metrics.jsonl")
		for _, file := range files {
			text, _ := os.ReadFile(file)
			n += strings.Count(string(text), `"loss"`)
		}
		return n
	}
	for _, until := range []int{5, 20} {
		c := start()
		for deadline := time.Now().Add(2 * time.Minute); episodes() < until; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d episodes within two minutes, want %d", episodes(), until)
			}
		}
		if err := c.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // it was killed
	}
	r := pacia("sweep", "s.yaml", "--out", "out")
	if r.code != 0 || !strings.HasSuffix(r.out, "4 runs: 4 finished\n") {
		t.Fatalf("exit code %d, %s\n%s", r.code, r.err, r.out)
	}
	if n := episodes(); n != 4*12 {
		t.Errorf("metrics.jsonl of all runs have %d episodes, want %d", n, 4*12)
	}
	// An interrupted run gives the same model as an undisturbed one.
	trained(t, "alone", "--set", "train.episodes=12", "--set", "seed=1", "--set", "model.relation.layers=2")
	if a, b := reached(t, "alone"), reached(t, "out/relation.layers=2,seed=1"); a != b {
		t.Errorf("alone the model reaches %v, in the sweep %v", a, b)
	}
	again := pacia("sweep", "s.yaml", "--out", "out")
	if again.code != 0 || strings.Contains(again.out, "started") {
		t.Errorf("started again, it makes runs: %s", again.out)
	}
	if status := ok(t, "sweep", "s.yaml", "--out", "out", "--status"); !strings.HasSuffix(again.out, status) {
		t.Errorf("--status shows\n%s\nthe end of the sweep\n%s", status, again.out)
	}
}

// After SIGINT the runs save and exit, and the command prints how to continue.
func TestSweepInterrupted(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "s.yaml", "config: small.yaml\nset: {train.episodes: 1000000, train.evaluate_every: 0}\nseeds: 2\nper_device: 2\n")
	t.Setenv(asPacia, "1")
	c := exec.Command(os.Args[0], "sweep", "s.yaml")
	var out, stderr strings.Builder
	c.Stdout, c.Stderr = &out, &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	begun := func() int {
		files, _ := filepath.Glob("runs/s/*/metrics.jsonl")
		n := 0
		for _, f := range files {
			if text, _ := os.ReadFile(f); strings.Contains(string(text), "\n") {
				n++
			}
		}
		return n
	}
	for deadline := time.Now().Add(2 * time.Minute); begun() < 2; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the runs have not begun within two minutes")
		}
	}
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // the exit code is checked below
	if code := c.ProcessState.ExitCode(); code != exitInterrupted ||
		stderr.String() != "pacia: stopped with 0 of 2 runs finished; what the others did is saved; the same command continues\n" {
		t.Errorf("exit code %d, standard error %q", code, stderr.String())
	}
	if !strings.HasSuffix(out.String(), "2 runs: 2 stopped\n") {
		t.Errorf("the table is\n%s", out.String())
	}
	for _, run := range []string{"seed=0", "seed=1"} {
		if _, err := os.Stat("runs/s/" + run + "/last.ckpt"); err != nil {
			t.Error(err)
		}
	}
}

// A run that fails is kept with its reason, and the others are made.
func TestSweepWithARunThatFails(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	exampleFolder(t)
	put(t, "s.yaml", "config: small.yaml\nlist:\n  - {name: good}\n  - {name: bad, data.path: none.csv}\n")
	t.Setenv(asPacia, "1")
	r := pacia("sweep", "s.yaml")
	if r.code != exitTrouble || r.err != "pacia: 1 of 2 runs failed; pacia sweep s.yaml --out runs/s --retry tries them again\n" {
		t.Errorf("exit code %d, %q", r.code, r.err)
	}
	if want := "bad,seed=0   failed    0/6      none.csv: "; !strings.Contains(r.out, want) || !strings.Contains(r.out, "good,seed=0  finished  6/6 ") {
		t.Errorf("the table lacks %q:\n%s", want, r.out)
	}
	if one := pacia("sweep", "s.yaml", "--only", "0", "--out", "one"); one.code != 0 || !strings.Contains(one.out, "good,seed=0  finished after episode 6") {
		t.Errorf("--only 0: %+v", one)
	}
}

func TestSweepFaults(t *testing.T) {
	inFolder(t, "s.yaml", "seeds: 2")
	for _, tt := range []struct{ args, want string }{
		{"sweep", "pacia sweep takes one file, not 0; write pacia sweep FILE; see pacia sweep --help"},
		{"sweep s.yaml --engine pbs", `--engine "pbs" is not known; write local or slurm`},
		{"sweep s.yaml --only -3", "--only takes the index of a run, which this process makes; write --only 0 for the first, without --engine slurm"},
		{"sweep s.yaml --only 2", "s.yaml: there is no run 2; write --only 0 to 1"},
		{"sweep none.yaml", "none.yaml: cannot read the sweep: no such file or directory; check its name"},
	} {
		r := pacia(strings.Fields(tt.args)...)
		if r.code != exitBadInput || r.err != "pacia: "+tt.want+"\n" {
			t.Errorf("pacia %s: exit code %d, %q, want %q", tt.args, r.code, r.err, tt.want)
		}
	}
}

// The table on a terminal of any size shows the running and the failed runs.
func TestSweepLines(t *testing.T) {
	put := func(name string, status sweep.Status, reason string) sweep.Row {
		r := sweep.Row{Run: sweep.Run{Name: name}, State: sweep.State{Status: status, Reason: reason}}
		r.Run.Config.Train.Episodes = 9
		return r
	}
	rows := []sweep.Row{put("a", sweep.Finished, ""), put("b", sweep.Waiting, ""), put("c", sweep.Failed, "the disk is full"), put("d", sweep.Running, "")}
	auc := 0.75
	rows[3].Progress.Episode, rows[3].Progress.Figure = 4, &auc
	for _, tt := range []struct {
		width, height int
		want          string
	}{
		{80, 24, "run  state     episode  test ROC-AUC\na    finished  0/9      -\nb    waiting   0/9      -\nc    failed    0/9      the disk is full\nd    running   4/9      0.7500\n4 runs: 1 finished, 1 running, 1 waiting, 1 failed"},
		{30, 4, "run  state    episode  test …\nd    running  4/9      0.7500\nc    failed   0/9      the d…\n4 runs: 1 finished, 1 runnin…"},
		{1, 1, "…\n…"},
	} {
		if got := strings.Join(sweepLines(rows, tt.width, tt.height), "\n"); got != tt.want {
			t.Errorf("%d × %d:\n%s\nwant\n%s", tt.width, tt.height, got, tt.want)
		}
	}
}
