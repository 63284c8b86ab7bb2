package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	leftAs(t, "pipe.csv", "support.csv")
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

// TestOpenInputsStay checks that a signal removes no input, whatever its name.
func TestOpenInputsStay(t *testing.T) {
	seconds(t)
	const input = "library.20261128.tmp"
	inFolder(t, "support.csv", "smiles,label\nCCO,1\nCCN,0\n")
	if err := syscall.Mkfifo("pipe.csv", 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, input, "smiles,label\nCCO,1\nCCN,0\n")
	for _, command := range []string{
		"predict --support " + input + " --candidates pipe.csv --out ranked.csv --method similarity",
		"predict --support support.csv --candidates " + input + " --candidates pipe.csv --out ranked.csv --method similarity",
	} {
		leavesWhenAsked(t, strings.Fields(command), syscall.SIGTERM, exitTerminated)
	}
	leftAs(t, input, "pipe.csv", "support.csv")
}

// leftAs checks what the working folder holds.
func leftAs(t *testing.T, want ...string) {
	t.Helper()
	files, _ := filepath.Glob("*")
	if !slices.Equal(files, want) {
		t.Errorf("the folder holds %v now, want %v", files, want)
	}
}
