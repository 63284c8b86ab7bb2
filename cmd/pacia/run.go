package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/train"
)

// Exit codes.
const (
	exitTrouble     = 1
	exitBadInput    = 2
	exitInterrupted = 130 // which shells use for a program that SIGINT ended
)

// run executes one command line and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	log := ui.NewLog(stderr)
	before := slog.Default()
	slog.SetDefault(slog.New(log))
	defer slog.SetDefault(before)
	l := &logging{log: log, begun: time.Now(), args: args}
	root := newRoot(l)
	root.SetArgs(append([]string{}, args...)) // cobra takes nil for the arguments of the process
	root.SetIn(stdin)
	out := ui.NewLatch(stdout)
	root.SetOut(out)
	root.SetErr(log)
	refuseWords(root)
	err := guarded(root, stderr)
	if err == nil && out.Err != nil {
		err = fmt.Errorf("the standard output: %w", out.Err)
	}
	code := exitCode(err)
	l.ended(code, err)
	return code
}

// guarded executes the command and turns a panic into an error. PACIA_DEBUG=1 also prints
// the stack.
func guarded(root *cobra.Command, stderr io.Writer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if os.Getenv("PACIA_DEBUG") == "1" {
				_, _ = stderr.Write(debug.Stack())
			}
			err = fmt.Errorf("internal error: %v; PACIA_DEBUG=1 shows where", p)
		}
	}()
	c, err := root.ExecuteC()
	return withSettingNames(c, err)
}

func exitCode(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, train.ErrStopped):
		return exitInterrupted
	case badinput.Is(err):
		return exitBadInput
	}
	return exitTrouble
}

// untilInterrupted returns a context that ends with SIGINT or SIGTERM. Further signals
// have no effect while the run saves: timeout(1) sends each signal twice.
func untilInterrupted(parent context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
}

// interrupted is train.ErrStopped with a message for users of the command line.
type interrupted struct{ message string }

func (e interrupted) Error() string { return e.message }

func (e interrupted) Unwrap() error { return train.ErrStopped }

// errorLine returns the line that is printed for an error.
func errorLine(err error) string {
	line := firstLine(err)
	if advice := adviceOn(err); advice != "" && !badinput.Is(err) {
		line += "; " + advice
	}
	return line
}

// adviceOn returns advice on errors of the machine, or "".
func adviceOn(err error) string {
	for _, known := range []struct {
		errno  syscall.Errno
		advice string
	}{
		{syscall.ENOSPC, "free some room there and give the command again (with --resume if a run had begun), " +
			"or write to another place; what was there before is whole"},
		{syscall.EDQUOT, "your quota there is used up: free some room, or write to another place; what was there before is whole"},
		{syscall.EROFS, "write to another place"},
		{syscall.EIO, "the disk or its connection fails: write to another place"},
		{syscall.EMFILE, "raise the limit of open files (ulimit -n)"},
		{syscall.ENOMEM, "free memory, or ask for less: train.tasks_per_step and episode.queries are what a step takes"},
	} {
		if errors.Is(err, known.errno) {
			return known.advice
		}
	}
	return ""
}

// longest is the limit of an error's message, in bytes.
const longest = 4_000

// firstLine returns the first line of the message: libtorch adds its stack in further lines.
func firstLine(err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	if len(line) > longest {
		line = strings.ToValidUTF8(line[:longest], "") + "…"
	}
	return line
}
