package main

import (
	"log/slog"
	"os"
	"os/signal"
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
	signals, end, ended := make(chan os.Signal, 1), make(chan struct{}), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-signals:
			leave(s)
		case <-end:
			close(ended)
		}
	}()
	return sync.OnceFunc(func() {
		signal.Stop(signals)
		close(end)
		<-ended // while the other goroutine leaves, the command's own error does not end the program
	})
}

func leave(s os.Signal) {
	code := exitInterrupted
	if s == syscall.SIGTERM {
		code = exitTerminated
	}
	slog.Error("stopped; what was there before is whole", "exit", code)
	scratch.Exit(code)
}
