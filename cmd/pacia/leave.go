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

// exitTerminated is the exit code of a program that SIGTERM ended, as shells have it.
const exitTerminated = 143

// leaveWhenAsked makes SIGINT and SIGTERM end a command that has nothing to save: at
// once, with one line, and without the files that it was writing. The function that it
// returns ends that.
func leaveWhenAsked() (done func()) {
	asked, end := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(asked, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-asked:
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
		signal.Stop(asked)
		close(end)
	})
}

// temporary is how package atomicfile names a file that is not finished.
var temporary = regexp.MustCompile(`\.[0-9a-f]{8}\.tmp$`)

// removeTemporaries removes the files that this process writes and has not given their
// names yet. Others may write the same path: only those that are open here are ours.
func removeTemporaries() {
	open, _ := filepath.Glob("/proc/self/fd/*") // the pattern is well formed
	for _, fd := range open {
		if file, err := os.Readlink(fd); err == nil && temporary.MatchString(file) {
			_ = os.Remove(file) // the next Write of its path would
		}
	}
}
