package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"pacia/internal/each"
)

// patience is the time limit of a command that takes a second on a quiet machine. On a
// busy machine a slow command must not count as stuck.
const patience = 5 * time.Minute

// An outcome describes how an attempt ended.
type outcome struct {
	Exit    int // exit code; −1 after a signal
	Stderr  string
	Stuck   bool          // killed after patience
	Calls   int           // number of traced calls
	Hit     string        // call at which the harm was done
	Refused syscall.Errno // error of the kernel when tracing is not allowed
}

// environment returns the environment of the commands, without the user's settings and with
// a separate cache.
func environment(dir string) []string {
	env := each.If(os.Environ(), func(pair string) bool { return !strings.HasPrefix(pair, "PACIA_") && !strings.HasPrefix(pair, "XDG_") })
	return append(env, "XDG_CACHE_HOME="+dir+"/user-cache", "TMPDIR="+dir+"/tmp", "OMP_NUM_THREADS=1")
}

// command returns the command pacia with args in dir, as the leader of a process group.
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

// again runs a scenario to its end. It must succeed, or refuse an output that it had finished before.
func (h *harm) again(r *reference, dir string) error {
	o := h.attemptOf(&r.scenario, dir)
	if r.once && o.Exit == 2 && h.asReference(r, dir) == nil {
		return nil
	}
	return o.succeeded()
}

// attemptOf runs a scenario to its end.
func (h *harm) attemptOf(s *scenario, dir string) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, stderr := h.command(ctx, dir, s.args)
	done, err := s.connect(c)
	if err != nil {
		return outcome{Exit: 127, Stderr: err.Error()}
	}
	defer done()
	return ended(ctx, c.Run(), stderr)
}

// connect connects the standard input and output of a scenario that reads the former.
func (s *scenario) connect(c *exec.Cmd) (done func(), err error) {
	if s.stdin == "" {
		return func() {}, nil
	}
	in, err := os.Open(filepath.Join(c.Dir, s.stdin))
	if err != nil {
		return nil, err
	}
	out, err := os.Create(filepath.Join(c.Dir, answersFile))
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	c.Stdin, c.Stdout = in, out
	return func() { _, _ = in.Close(), out.Close() }, nil
}

// attempt runs a command to its end.
func (h *harm) attempt(dir string, args []string) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, stderr := h.command(ctx, dir, args)
	return ended(ctx, c.Run(), stderr)
}

func ended(ctx context.Context, err error, stderr *bytes.Buffer) outcome {
	o := outcome{Stderr: stderr.String(), Stuck: ctx.Err() != nil}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		o.Exit = exit.ExitCode()
	case err != nil:
		o.Exit, o.Stderr = 127, err.Error()
	}
	return o
}

// crashes lists parts of the output of a program that crashed.
var crashes = []string{"panic", "goroutine ", "SIGSEGV", "SIGABRT", "SIGBUS", "terminate called", "internal error", "runtime error", "fatal error"}

// sound returns an error unless the command ended with success or with one line of error.
func (o outcome) sound() error {
	if o.Stuck {
		return fmt.Errorf("did not end within %v", patience)
	}
	for _, c := range crashes {
		if strings.Contains(o.Stderr, c) {
			return fmt.Errorf("crashed: %s", o.brief())
		}
	}
	lines := strings.Count("\n"+o.Stderr, "\npacia: ")
	switch {
	case o.Exit == 0 && lines == 0, o.Exit > 0 && o.Exit < 126 && lines == 1:
		return nil
	}
	return fmt.Errorf("ended with %d and %d lines of error: %s", o.Exit, lines, o.brief())
}

// succeeded returns an error unless the command ended with success and reported no damage.
func (o outcome) succeeded() error {
	if o.Exit != 0 || o.Stuck {
		return fmt.Errorf("ended with %d: %s", o.Exit, o.brief())
	}
	if strings.Contains(o.Stderr, "damaged") {
		return fmt.Errorf("found something damaged: %s", o.brief())
	}
	return nil
}

func (o outcome) brief() string {
	text := strings.TrimSpace(o.Stderr)
	if len(text) > 600 {
		text = text[:300] + " … " + text[len(text)-300:]
	}
	return strings.ReplaceAll(text, "\n", " | ")
}
