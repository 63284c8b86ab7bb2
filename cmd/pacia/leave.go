package main

import (
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"

	"pacia/internal/scratch"
)

// exitTerminated is the exit code that shells use for a program that SIGTERM ended.
const exitTerminated = 143

// leaveWhenAsked makes SIGINT and SIGTERM end a command that has nothing to save. The
// command ends at once with one line, and removes the files that it was writing. The
// returned function restores the default.
func leaveWhenAsked() (done func()) {
	signals, end := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-signals:
			removeTemporaries()
			scratch.Remove()
			code := exitInterrupted
			if s == syscall.SIGTERM {
				code = exitTerminated
			}
			slog.Error("stopped; what was there before is whole", "exit", code)
			os.Exit(code)
		case <-end:
		}
	}()
	return sync.OnceFunc(func() {
		signal.Stop(signals)
		close(end)
	})
}

// temporary matches the names that package atomicfile gives to unfinished files.
var temporary = regexp.MustCompile(`\.[0-9a-f]{8}\.tmp$`)

// removeTemporaries removes the unfinished files of this process. Other processes may write
// the same path, so it removes only files that are open in this one.
func removeTemporaries() {
	open, _ := filepath.Glob("/proc/self/fd/*") // the pattern is well formed
	for _, fd := range open {
		if file, err := os.Readlink(fd); err == nil && temporary.MatchString(file) {
			_ = os.Remove(file) // the next Write of its path would
		}
	}
}
