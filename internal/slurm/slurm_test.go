package slurm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestJobOf(t *testing.T) {
	for output, want := range map[string]string{
		"Submitted batch job 4711": "4711", "Submitted batch job 12 on cluster east": "12", "no": "",
	} {
		if got := JobOf(output); got != want {
			t.Errorf("the job in %q is %q, want %q", output, got, want)
		}
	}
}

// TestQueued checks that an unknown job counts as ended, and that without a response a job may
// still run.
func TestQueued(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if queued, err := inQueue(context.Background(), "7"); queued || err != nil {
		t.Errorf("without squeue there is nothing to wait for: %v, %v", queued, err)
	}
	for _, c := range []struct {
		script         string
		queued, answer bool
	}{
		{"echo RUNNING", true, true},
		{"true", false, true},
		{"echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1", false, true},
		{unanswered, true, false},
	} {
		squeue(t, dir, c.script)
		if queued, err := inQueue(context.Background(), "7"); queued != c.queued || (err == nil) != c.answer {
			t.Errorf("%s: queued %v, error %v; want %v, an answer: %v", c.script, queued, err, c.queued, c.answer)
		}
	}
}

const unanswered = "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2; exit 1"

// squeue writes a script named squeue to dir.
func squeue(t *testing.T, dir, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "squeue"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestWait checks that Wait waits for a Slurm that does not respond, up to a limit.
func TestWait(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	squeue(t, dir, unanswered)
	looks := 0
	err := wait(context.Background(), "7", func() { looks++ }, 500*time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "Slurm has not answered for") || !strings.Contains(err.Error(), "Unable to contact") {
		t.Errorf("without an answer the error is %v", err)
	}
	if looks == 0 {
		t.Error("look was not called")
	}
	// It responds to the second call.
	again := filepath.Join(dir, "asked")
	squeue(t, dir, "[ -e "+again+" ] && exit 0; : > "+again+"; "+unanswered)
	if err := wait(context.Background(), "7", func() {}, time.Hour); err != nil {
		t.Error(err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if err := wait(ended, "7", func() {}, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context the error is %v", err)
	}
}
