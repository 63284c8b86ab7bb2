package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPredictLeavesWhenAsked checks that a signal ends predict while it waits for candidates.
// It prints one line, has the signal's exit code, and leaves the folder as it was.
func TestPredictLeavesWhenAsked(t *testing.T) {
	seconds(t)
	inFolder(t, "support.csv", "smiles,label\nCCO,1\nCCN,0\n")
	if err := syscall.Mkfifo("candidates.csv", 0o600); err != nil {
		t.Fatal(err)
	}
	for signal, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		c := exec.Command(os.Args[0], "predict", "--support", "support.csv", "--candidates", "candidates.csv", "--out", "ranked.csv", "--method", "similarity")
		c.Env = append(os.Environ(), asPacia+"=1")
		var stderr bytes.Buffer
		c.Stderr = &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		// It opens the pipe after it began to handle signals. Then it waits: nothing is written.
		pipe := make(chan *os.File, 1)
		go func() {
			f, err := os.OpenFile("candidates.csv", os.O_WRONLY, 0)
			if err != nil {
				t.Error(err)
			}
			pipe <- f
		}()
		select {
		case f := <-pipe:
			defer f.Close()
		case <-time.After(2 * time.Minute):
			t.Fatal("predict does not open its candidates")
		}
		if err := c.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // the exit code is checked below
		if got := c.ProcessState.ExitCode(); got != code {
			t.Errorf("%v: exit code %d, want %d: %s", signal, got, code, stderr.String())
		}
		if got := stderr.String(); got != "pacia: stopped; what was there before is whole\n" {
			t.Errorf("%v: %q on the standard error, want one line", signal, got)
		}
	}
	var names []string
	files, _ := filepath.Glob("*")
	for _, f := range files {
		names = append(names, filepath.Base(f))
	}
	if got := strings.Join(names, " "); got != "candidates.csv support.csv" {
		t.Errorf("the folder holds %s now", got)
	}
}

// TestTemporariesAreRemoved checks that only the temporary files of this process are removed.
func TestTemporariesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	ours, others := filepath.Join(dir, "a.csv.0123abcd.tmp"), filepath.Join(dir, "b.csv.0123abcd.tmp")
	f, err := os.Create(ours)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.WriteFile(others, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	removeTemporaries()
	if _, err := os.Stat(ours); !os.IsNotExist(err) {
		t.Errorf("ours is still there (%v)", err)
	}
	if _, err := os.Stat(others); err != nil {
		t.Errorf("that of another process is gone: %v", err)
	}
}
