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

// TestCommandsLeaveWhenAsked checks that a signal ends commands while they wait for a file. They
// print one line, have the signal's exit code, and leave the folder as it was.
func TestCommandsLeaveWhenAsked(t *testing.T) {
	seconds(t)
	inFolder(t, "support.csv", "smiles,label\nCCO,1\nCCN,0\n")
	if err := syscall.Mkfifo("pipe.csv", 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"predict --support support.csv --candidates pipe.csv --out ranked.csv --method similarity",
		"score --support pipe.csv --method similarity",
		"data inspect pipe.csv",
	} {
		for signal, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
			leavesWhenAsked(t, strings.Fields(command), signal, code)
		}
	}
	var names []string
	files, _ := filepath.Glob("*")
	for _, f := range files {
		names = append(names, filepath.Base(f))
	}
	if got := strings.Join(names, " "); got != "pipe.csv support.csv" {
		t.Errorf("the folder holds %s now", got)
	}
}

// leavesWhenAsked sends a signal to a command that has opened pipe.csv, to which nothing is written.
func leavesWhenAsked(t *testing.T, args []string, signal syscall.Signal, code int) {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), asPacia+"=1")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	// The command handles signals before it opens the pipe.
	pipe := make(chan *os.File, 1)
	go func() {
		f, err := os.OpenFile("pipe.csv", os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
		}
		pipe <- f
	}()
	select {
	case f := <-pipe:
		defer f.Close()
	case <-time.After(2 * time.Minute):
		t.Fatalf("%s does not open the pipe", args[0])
	}
	if err := c.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // the exit code is checked below
	if got := c.ProcessState.ExitCode(); got != code {
		t.Errorf("%s, %v: exit code %d, want %d: %s", args[0], signal, got, code, stderr.String())
	}
	if got := stderr.String(); got != "pacia: stopped; what was there before is whole\n" {
		t.Errorf("%s, %v: %q on the standard error, want one line", args[0], signal, got)
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
