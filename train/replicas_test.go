package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pacia/internal/badinput"
	"pacia/metrics"
	"pacia/ops"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// choir is a ReplicaReporter that records what it receives.
type choir struct {
	mu     sync.Mutex
	voices map[uint64]*recorder
	failed map[uint64]error
	onStep func(seed uint64, episode int)
}

func (c *choir) Replica(seed uint64) Reporter {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := &recorder{}
	if c.onStep != nil {
		r.onStep = func(episode int) { c.onStep(seed, episode) }
	}
	if c.voices == nil {
		c.voices = map[uint64]*recorder{}
	}
	c.voices[seed] = r
	return r
}

func (c *choir) Failed(seed uint64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil {
		c.failed = map[uint64]error{}
	}
	c.failed[seed] = err
}

// alone trains one run, as a replica of it would be trained, and returns its
// folder.
func alone(t *testing.T, build builder, c runconfig.Config, seed uint64) string {
	t.Helper()
	c.Seed, c.Threads, c.Train.Replicas = seed, 1, 1
	dir := t.TempDir()
	err := ops.Pinned(c.Threads, func() error {
		_, err := runWith(context.Background(), build, c, dir, false, &recorder{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func seedDir(dir string, seed uint64) string { return filepath.Join(dir, fmt.Sprintf("seed-%d", seed)) }

// TestReplicasAreRunsAlone: side by side, as many at a time as threads, they
// give bit for bit what each gives alone.
func TestReplicasAreRunsAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, tt := range []struct {
		name  string
		build builder
		cfg   runconfig.Config
	}{
		{"fake", newFake, assaysConfig(t)},
		{"pacia", newTrainee, tinyConfig(t)},
	} {
		c, dir := tt.cfg, t.TempDir()
		c.Threads, c.Train.Replicas = 2, 3
		c.Train.Episodes, c.Train.EvaluateEvery = 6, 2
		all := &choir{}
		s, err := replicasWith(context.Background(), tt.build, c, dir, false, all)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			seed := c.Seed + uint64(i)
			whole := alone(t, tt.build, c, seed)
			sameEnd(t, fmt.Sprintf("%s, seed %d", tt.name, seed), seedDir(dir, seed), whole)
			done := all.voices[seed].done
			if len(all.voices[seed].steps) != 6 || done == nil || done.Seed != seed || done.Last[0] != s.Last[0].Values[i] ||
				done.ValidationSelected[0] != s.ValidationSelected[0].Values[i] || done.BestOnTest[0] != s.BestOnTest[0].Values[i] {
				t.Errorf("%s, seed %d: it reports %+v, all of them %+v", tt.name, seed, done, s)
			}
		}
		var written rundir.ReplicaSummary
		if err := json.Unmarshal([]byte(readFile(t, filepath.Join(dir, rundir.SummaryFile))), &written); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(written, s) || !slices.Equal(s.Seeds, []uint64{7, 8, 9}) || s.Episodes != 6 || s.Seconds <= 0 {
			t.Errorf("%s: summary.json holds %+v, RunReplicas returns %+v", tt.name, written, s)
		}
		// --resume without other settings reads these, from any folder.
		want := c
		if want.Data, err = c.Data.Located(); err != nil || want.Data.AbsolutePath == "" {
			t.Errorf("%s is at %q (%v)", c.Data.Path, want.Data.AbsolutePath, err)
		}
		config, err := runconfig.Decode([]byte(readFile(t, filepath.Join(dir, rundir.ConfigFile))))
		if err != nil || config != want {
			t.Errorf("%s: config.yaml holds %+v (%v), want %+v", tt.name, config, err, want)
		}
	}
}

func TestSpread(t *testing.T) {
	s := spread([]float64{1, 2, 6})
	if s.Mean != 3 || math.Abs(s.StandardDeviation-math.Sqrt(7)) > 1e-15 {
		t.Errorf("1, 2, 6 have mean %v and standard deviation %v, want 3 and √7", s.Mean, s.StandardDeviation)
	}
}

// TestNoMeanOverSomeReplicas: with train.test_every=last the last model has figures only if it is
// the selected one. A figure that some replicas lack has no mean, in any order of the replicas.
func TestNoMeanOverSomeReplicas(t *testing.T) {
	of := func(last ...float64) *replica {
		return &replica{summary: rundir.Summary{Last: last, ValidationSelected: metrics.Values{0.75}}}
	}
	for _, all := range [][]*replica{{of(0.5, 0.25), of()}, {of(), of(0.5, 0.25)}} {
		s := summarise(all)
		if s.Last != nil || s.BestOnTest != nil || s.ValidationSelected[0].Mean != 0.75 {
			t.Errorf("some have a last model: %+v", s)
		}
	}
	if s := summarise([]*replica{of(0.5, 0.25), of(0, 0.25)}); s.Last[0].Mean != 0.25 {
		t.Errorf("all have one, which ranks one task the wrong way round: %+v", s.Last)
	}
}

// TestReplicasGoOn: one of three is stopped in the middle, the others before they
// begin. Then they are resumed, and one more is added.
func TestReplicasGoOn(t *testing.T) {
	c, dir := assaysConfig(t), t.TempDir()
	c.Threads, c.Train.Replicas = 1, 3
	ctx, cancel := context.WithCancel(context.Background())
	_, err := replicasWith(ctx, newFake, c, dir, false, &choir{onStep: func(seed uint64, episode int) {
		if seed == 8 && episode == 5 {
			cancel()
		}
	}})
	if !errors.Is(err, ErrStopped) || !strings.Contains(err.Error(), "1 of 3 replicas have finished") {
		t.Fatalf("stopped: error %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, rundir.SummaryFile)); err == nil {
		t.Error("replicas that were stopped leave a summary")
	}
	if _, err := os.Stat(seedDir(dir, 9)); err == nil {
		t.Error("a replica was begun after the end")
	}
	c.Threads, c.Train.Replicas = 4, 4
	all := &choir{}
	s, err := replicasWith(context.Background(), newFake, c, dir, true, all)
	if err != nil {
		t.Fatal(err)
	}
	for seed, steps := range map[uint64]int{7: 0, 8: 7, 9: 12, 10: 12} {
		if n := len(all.voices[seed].steps); n != steps {
			t.Errorf("seed %d makes %d steps after it was resumed, want %d", seed, n, steps)
		}
		sameEnd(t, "resumed", seedDir(dir, seed), alone(t, newFake, c, seed))
	}
	if len(s.Last[0].Values) != 4 {
		t.Errorf("the summary is of %d replicas, want 4", len(s.Last[0].Values))
	}
	// A replica can be resumed as a single run.
	if rec, _ := trainFake(t, newReplica(c, 1, dir).cfg, seedDir(dir, 8), true); rec.start.Episode != 12 {
		t.Errorf("resumed alone, a replica starts after episode %d", rec.start.Episode)
	}
}

// TestAReplicaThatFailsStopsNoOther: seed 8 meets a loss that is not finite.
func TestAReplicaThatFailsStopsNoOther(t *testing.T) {
	c, dir := assaysConfig(t), t.TempDir()
	c.Threads, c.Train.Replicas = 2, 3
	build := func(c runconfig.Config, _ []int) (learner, error) {
		f := fakeAhead(1)
		if c.Seed == 8 {
			f.nanLossAt = 7
		}
		return f, nil
	}
	all := &choir{}
	_, err := replicasWith(context.Background(), build, c, dir, false, all)
	var failed *ReplicaError
	if !errors.As(err, &failed) || !slices.Equal(failed.Seeds, []uint64{8}) || !errors.Is(err, ops.ErrNotFinite) ||
		!strings.HasPrefix(err.Error(), "1 of 3 replicas failed; seed 8: episode 8 (") {
		t.Errorf("got %v, want an error that names seed 8", err)
	}
	if !errors.Is(all.failed[8], ops.ErrNotFinite) || len(all.failed) != 1 {
		t.Errorf("reported as failed are %v", all.failed)
	}
	for _, seed := range []uint64{7, 9} {
		sameEnd(t, "beside one that failed", seedDir(dir, seed), alone(t, newFake, c, seed))
	}
	if _, err := os.Stat(filepath.Join(dir, rundir.SummaryFile)); err == nil {
		t.Error("a mean over those that did not fail is written")
	}
	// Without the cause of the failure, it continues from its last save.
	if _, err := replicasWith(context.Background(), newFake, c, dir, true, &choir{}); err != nil {
		t.Fatal(err)
	}
	sameEnd(t, "the one that failed", seedDir(dir, 8), alone(t, newFake, c, 8))
}

// TestReplicasThatCannotBegin leave nothing behind.
func TestReplicasThatCannotBegin(t *testing.T) {
	single := t.TempDir()
	c := assaysConfig(t)
	trainFake(t, c, single, false)
	c.Train.Replicas = 2
	for _, tt := range []struct {
		name, dir string
		resume    bool
		change    func(*runconfig.Config)
		want      string
	}{
		{"too few molecules", "", false, func(c *runconfig.Config) { c.Episode.Shots = 100 }, "at least 101"},
		{"no such file", "", false, func(c *runconfig.Config) { c.Data.Path = "testdata/none.csv" }, "none.csv"},
		{"a run", single, false, func(*runconfig.Config) {}, "holds a run already"},
		{"a single run", single, true, func(*runconfig.Config) {}, "begun with train.replicas=1, now it is 2"},
	} {
		c, dir := c, tt.dir
		tt.change(&c)
		if dir == "" {
			dir = filepath.Join(t.TempDir(), "run")
		}
		_, err := replicasWith(context.Background(), newFake, c, dir, tt.resume, &choir{})
		if !badinput.Is(err) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want a fault with %q", tt.name, err, tt.want)
		}
		if found, _ := filepath.Glob(filepath.Join(dir, "seed-*")); len(found) > 0 {
			t.Errorf("%s: %v were made", tt.name, found)
		}
		if _, err := os.Stat(dir); tt.dir == "" && err == nil {
			t.Errorf("%s: the output folder was made", tt.name)
		}
	}
	dir := t.TempDir()
	if _, err := replicasWith(context.Background(), newFake, c, dir, false, &choir{}); err != nil {
		t.Fatal(err)
	}
	c.Train.Replicas = 1
	if _, err := runWith(context.Background(), newFake, c, dir, true, &recorder{}); !badinput.Is(err) || !strings.Contains(err.Error(), "write train.replicas=2") {
		t.Errorf("resuming replicas as one run gives %v", err)
	}
}

// TestAFolderOfOtherReplicas: a process that finds the folder locked starts none of its
// runs. Otherwise each process could take one run, and both fail.
func TestAFolderOfOtherReplicas(t *testing.T) {
	c, dir := assaysConfig(t), t.TempDir()
	c.Train.Replicas = 2
	other, err := takeFolder(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	_, err = replicasWith(context.Background(), newFake, c, dir, false, &choir{})
	if !badinput.Is(err) || !strings.Contains(err.Error(), "another process is training into this folder") {
		t.Errorf("got %v", err)
	}
	if found, _ := os.ReadDir(dir); len(found) > 0 {
		t.Errorf("%v were made in another process's folder", found)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := replicasWith(context.Background(), newFake, c, dir, false, &choir{}); err != nil {
		t.Error(err)
	}
}
