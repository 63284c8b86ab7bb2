package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"pacia/internal/each"
)

// patience is the time limit of a command that takes a second on a quiet machine. On a
// busy machine a slow command must not count as stuck.
const patience = 5 * time.Minute

// An outcome is how an attempt ended.
type outcome struct {
	exit   int // code; −1: a signal
	stderr string
	stuck  bool // killed after patience
	calls  int  // that were traced
	hit    string
}

// environment of the commands: nothing of the user's settings, and a cache of their own.
func environment(dir string) []string {
	env := each.If(os.Environ(), func(pair string) bool { return !strings.HasPrefix(pair, "PACIA_") && !strings.HasPrefix(pair, "XDG_") })
	return append(env, "XDG_CACHE_HOME="+dir+"/user-cache", "OMP_NUM_THREADS=1")
}

// command is pacia with args in dir, head of a process group.
func (h *harm) command(ctx context.Context, dir string, args []string) (*exec.Cmd, *bytes.Buffer) {
	c := exec.CommandContext(ctx, h.program, args...)
	c.Dir, c.Env = dir, environment(dir)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = 10 * time.Second
	var stderr bytes.Buffer
	c.Stderr = &stderr
	return c, &stderr
}

// attempt makes a command to its end.
func (h *harm) attempt(dir string, args []string) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, stderr := h.command(ctx, dir, args)
	return ended(ctx, c.Run(), stderr)
}

func ended(ctx context.Context, err error, stderr *bytes.Buffer) outcome {
	o := outcome{stderr: stderr.String(), stuck: ctx.Err() != nil}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		o.exit = exit.ExitCode()
	case err != nil:
		o.exit, o.stderr = 127, err.Error()
	}
	return o
}

// crashes are what a program leaves that did not expect what happened.
var crashes = []string{"panic", "goroutine ", "SIGSEGV", "SIGABRT", "SIGBUS", "terminate called", "internal error", "runtime error", "fatal error"}

// sound reports anything but an end in order: success, or one line of error.
func (o outcome) sound() error {
	if o.stuck {
		return fmt.Errorf("did not end within %v", patience)
	}
	for _, c := range crashes {
		if strings.Contains(o.stderr, c) {
			return fmt.Errorf("crashed: %s", o.brief())
		}
	}
	lines := strings.Count("\n"+o.stderr, "\npacia: ")
	switch {
	case o.exit == 0 && lines == 0, o.exit > 0 && o.exit < 126 && lines == 1:
		return nil
	}
	return fmt.Errorf("ended with %d and %d lines of error: %s", o.exit, lines, o.brief())
}

// succeeded reports anything but an end in success, without a word of damage.
func (o outcome) succeeded() error {
	if o.exit != 0 || o.stuck {
		return fmt.Errorf("ended with %d: %s", o.exit, o.brief())
	}
	if strings.Contains(o.stderr, "damaged") {
		return fmt.Errorf("found something damaged: %s", o.brief())
	}
	return nil
}

func (o outcome) brief() string {
	text := strings.TrimSpace(o.stderr)
	if len(text) > 600 {
		text = text[:300] + " … " + text[len(text)-300:]
	}
	return strings.ReplaceAll(text, "\n", " | ")
}
