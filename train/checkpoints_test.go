package train

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// awaitSaved waits until last.ckpt holds an episode.
func awaitSaved(t *testing.T, dir string, episode int) {
	t.Helper()
	for range 1000 {
		if c, err := checkpoint.Open(filepath.Join(dir, rundir.LastFile)); err == nil {
			found := c.Episode()
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			if found == episode {
				return
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("last.ckpt does not hold episode %d after 10 s", episode)
}

// trainSettled trains, and waits for every save before the next steps are
// reported, so that no save is skipped.
func trainSettled(t *testing.T, build builder, c runconfig.Config, dir string, rec *recorder) error {
	t.Helper()
	r, info, err := prepare(context.Background(), build, nil, c, dir, false)
	if err != nil {
		t.Fatal(err)
	}
	rec.onStep = func(int) {
		if err := r.writer.wait(); err != nil {
			t.Error(err)
		}
	}
	_, err = r.toEnd(context.Background(), info, rec)
	return err
}

// slowDisk writes checkpoints only once it is released, and remembers which.
type slowDisk struct {
	mu       sync.Mutex
	released chan struct{}
	begun    []string // files with their episodes
	failure  error
}

func (d *slowDisk) write(path string, meta checkpoint.Meta, variables []checkpoint.Variable) error {
	if !d.mu.TryLock() {
		return errors.New("two files are written at a time")
	}
	defer d.mu.Unlock()
	d.begun = append(d.begun, fmt.Sprint(filepath.Base(path), " ", meta.Episode()))
	<-d.released
	if d.failure != nil {
		return d.failure
	}
	return checkpoint.Save(path, meta, variables)
}

// trainOnto trains the fake learner with its checkpoints going through d.
func trainOnto(t *testing.T, d *slowDisk, c runconfig.Config, dir string, rec *recorder) error {
	t.Helper()
	r, _, err := prepare(context.Background(), newFake, nil, c, dir, false)
	if err != nil {
		t.Fatal(err)
	}
	r.rep, r.write = rec, d.write
	err = r.train(context.Background())
	return errors.Join(err, r.Close())
}

// TestStepsGoOnWhileACheckpointIsWritten: the first last.ckpt, of episode 3,
// takes until the last step and still holds the model of episode 3. The saves due
// meanwhile are skipped, except the last one.
func TestStepsGoOnWhileACheckpointIsWritten(t *testing.T) {
	c, dir, short := assaysConfig(t), t.TempDir(), t.TempDir()
	c.Train.EvaluateEvery = 0
	d := &slowDisk{released: make(chan struct{})}
	var first map[string][]uint32
	rec := &recorder{onStep: func(episode int) {
		if episode == 12 {
			close(d.released)
			awaitSaved(t, dir, 3)
			first, _ = content(t, filepath.Join(dir, rundir.LastFile))
		}
	}}
	if err := trainOnto(t, d, c, dir, rec); err != nil {
		t.Fatal(err)
	}
	if want := []string{"last.ckpt 3", "best.ckpt 12", "last.ckpt 12"}; !slices.Equal(d.begun, want) {
		t.Errorf("written are %q, want %q", d.begun, want)
	}
	c.Train.Episodes = 3
	trainFake(t, c, short, false)
	if want, _ := content(t, filepath.Join(short, rundir.LastFile)); !reflect.DeepEqual(first, want) {
		t.Error("what was written of episode 3 is not the model of episode 3")
	}
}

// TestTheBestModelWaitsForTheWriter: each evaluation's model is the best
// (selection last). No best.ckpt is skipped, nor a last.ckpt that is due with it.
func TestTheBestModelWaitsForTheWriter(t *testing.T) {
	c, dir := assaysConfig(t), t.TempDir()
	c.Train.Selection, c.Train.EvaluateEvery, c.Train.CheckpointEvery = runconfig.SelectLast, 4, 8
	d := &slowDisk{released: make(chan struct{})}
	rec := &recorder{onStep: func(episode int) {
		if episode == 8 {
			close(d.released)
		}
	}}
	if err := trainOnto(t, d, c, dir, rec); err != nil {
		t.Fatal(err)
	}
	if want := []string{"best.ckpt 4", "best.ckpt 8", "last.ckpt 8", "best.ckpt 12", "last.ckpt 12"}; !slices.Equal(d.begun, want) {
		t.Errorf("written are %q, want %q", d.begun, want)
	}
}

// TestAWriteThatFailsEndsTheRun, whether or not another save comes after it.
func TestAWriteThatFailsEndsTheRun(t *testing.T) {
	for _, every := range []int{3, 12} {
		c := assaysConfig(t)
		c.Train.EvaluateEvery, c.Train.CheckpointEvery = 0, every
		full := errors.New("disk full")
		d := &slowDisk{released: make(chan struct{}), failure: full}
		close(d.released)
		err := trainOnto(t, d, c, t.TempDir(), &recorder{})
		if want := fmt.Sprintf("episode %d: saving: disk full", every); !errors.Is(err, full) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("saved every %d: got %v, want an error that begins with %q", every, err, want)
		}
		if len(d.begun) != 1 {
			t.Errorf("saved every %d: after the failure %q are written", every, d.begun[1:])
		}
	}
}
