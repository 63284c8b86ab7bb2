package train

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacia/ops"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// losing builds learners with a device that is lost in an operation after a number of
// updates.
func losing(doing string, after int64) builder {
	return func(runconfig.Config, []int) (learner, error) {
		f, lost := fakeAhead(2), false
		f.lost = func(now string) bool {
			lost = lost || now == doing && f.steps >= after
			return lost
		}
		return f, nil
	}
}

// TestALostDeviceEndsTheRun: the error is one line with the command that resumes the run.
// The resumed run, without the device, ends like an undisturbed one.
func TestALostDeviceEndsTheRun(t *testing.T) {
	c, whole := assaysConfig(t), t.TempDir()
	c.Train.EvaluateEvery, c.Train.CheckpointEvery = 4, 6
	trainFake(t, c, whole, false)
	for _, tt := range []struct {
		doing string
		after int64
		want  string
		saved int
	}{
		{"steps", 0, "episode 1: CUDA error: unspecified launch failure: the device is lost; last.ckpt holds episode 0: ", 0},
		{"steps", 10, "episode 11: CUDA error", 6},
		{"evaluation", 8, "episode 8: evaluating long: CUDA error", 6},
		{"save", 4, "episode 4: reading the model: w: CUDA error", 0}, // of best.ckpt
		{"save", 12, "episode 12: reading the model: w: CUDA error", 6},
	} {
		dir, now := t.TempDir(), c
		now.Device = "cuda"
		err := trainSettled(t, losing(tt.doing, tt.after), now, dir, &recorder{})
		if !errors.Is(err, ops.ErrDeviceLost) || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") ||
			!contains(err, "--resume --out "+dir, "--set device=cpu") {
			t.Errorf("%s after %d: got %v, want one line that begins with %q", tt.doing, tt.after, err, tt.want)
		}
		if _, meta := content(t, filepath.Join(dir, rundir.LastFile)); meta.Episode() != tt.saved || err != nil && !contains(err, fmt.Sprintf("last.ckpt holds episode %d:", tt.saved)) {
			t.Errorf("%s after %d: last.ckpt holds episode %d, want %d; the error is %v", tt.doing, tt.after, meta.Episode(), tt.saved, err)
		}
		if _, err := os.Stat(filepath.Join(dir, rundir.FailureFile)); err == nil {
			t.Errorf("%s after %d: the episode is blamed", tt.doing, tt.after)
		}
		again, _ := trainFake(t, c, dir, true)
		if again.start.Episode != tt.saved {
			t.Errorf("%s after %d: resumes at %d", tt.doing, tt.after, again.start.Episode)
		}
		sameEnd(t, tt.doing, dir, whole)
	}
}

// TestALostDeviceBeforeTheFirstCheckpoint: the error does not mention a checkpoint.
func TestALostDeviceBeforeTheFirstCheckpoint(t *testing.T) {
	dir := t.TempDir()
	c := assaysConfig(t)
	c.Device = "cuda"
	err := trainSettled(t, losing("save", 0), c, dir, &recorder{})
	if !errors.Is(err, ops.ErrDeviceLost) || !contains(err, "no episode has begun", "--resume --out "+dir) || contains(err, "last.ckpt") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, rundir.LastFile)); err == nil {
		t.Error("there is a checkpoint")
	}
}

// TestTheFirstCheckpointComesBeforeTheFirstStep on a device that may be lost; on
// the CPU nothing is written until it is due.
func TestTheFirstCheckpointComesBeforeTheFirstStep(t *testing.T) {
	for device, want := range map[string]bool{"cpu": false, "cuda:1": true} {
		c, dir := assaysConfig(t), t.TempDir()
		c.Device, c.Train.CheckpointEvery = device, 0
		var there bool
		rec := &recorder{onStep: func(episode int) {
			if episode == 1 {
				_, err := os.Stat(filepath.Join(dir, rundir.LastFile))
				there = err == nil
			}
		}}
		if _, err := runWith(context.Background(), newFake, c, dir, false, rec); err != nil {
			t.Fatal(err)
		}
		if there != want {
			t.Errorf("%s: last.ckpt is there before the first step: %t, want %t", device, there, want)
		}
	}
}
