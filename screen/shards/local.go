package shards

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"pacia/internal/badinput"
	"pacia/internal/child"
)

// A Failure describes a part that was not ranked because its process failed or never began.
type Failure struct {
	Part     int // from 0
	BadInput bool
	Reason   string
}

// badInput is the exit code of a process with bad input.
const badInput = 2

// grace is the time between the signal that asks a process to end and the one that kills it.
const grace = 5 * time.Second

// Run ranks parts by processes on this machine, at most side at a time, and calls done
// after each success. It returns the failures in the order of the library. Bad
// input in one part ends the later parts, because a single process would have stopped there. The
// earlier parts go on, because a single process would have reported their errors first.
func (p *Plan) Run(ctx context.Context, parts []int, side int, command func(part int) []string, done func(part int)) []Failure {
	reasons := make([]*Failure, len(parts))
	alive, end := make([]context.Context, len(parts)), make([]context.CancelFunc, len(parts))
	next := make(chan int, len(parts))
	for i := range parts {
		alive[i], end[i] = context.WithCancel(ctx)
		defer end[i]()
		next <- i
	}
	close(next)
	var running sync.WaitGroup
	for range min(side, len(parts)) {
		running.Go(func() {
			for i := range next {
				if alive[i].Err() != nil {
					continue
				}
				reasons[i] = p.process(alive[i], parts[i], command(parts[i]))
				switch {
				case reasons[i] == nil:
					done(parts[i])
				case reasons[i].BadInput:
					for _, later := range end[i+1:] {
						later()
					}
				}
			}
		})
	}
	running.Wait()
	var failed []Failure
	for i, f := range reasons {
		switch {
		case f != nil:
			failed = append(failed, *f)
		case !p.Done(parts[i]):
			failed = append(failed, Failure{Part: parts[i], Reason: "not begun"})
		}
	}
	return failed
}

// process ranks one part. It returns nil on success.
func (p *Plan) process(ctx context.Context, part int, words []string) *Failure {
	log, err := os.Create(filepath.Join(p.dir, "logs", fmt.Sprintf("%04d.log", part)))
	if err != nil {
		return &Failure{Part: part, Reason: err.Error()}
	}
	defer log.Close()
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Stdout, c.Stderr = log, log
	err = child.Run(c, grace)
	if err == nil {
		return nil
	}
	f := &Failure{Part: part, Reason: err.Error()}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return f
	}
	status, _ := exit.Sys().(syscall.WaitStatus)
	f.BadInput = exit.ExitCode() == badInput
	if status.Signaled() {
		f.Reason = "killed by " + unix.SignalName(status.Signal())
	} else if last := LastLine(log.Name()); last != "" {
		f.Reason = last
	}
	return f
}

// LastLine returns the last line of a process's log, without the program's name.
func LastLine(log string) string {
	const most = 1 << 16 // bytes that are read from the end of the log
	f, err := os.Open(log)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > most {
		_, _ = f.Seek(-most, io.SeekEnd)
	}
	text, _ := io.ReadAll(io.LimitReader(f, most)) // a log that cannot be read gives no reason
	line := strings.TrimSpace(string(text))
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return strings.TrimPrefix(strings.TrimSpace(line[strings.LastIndexByte(line, '\r')+1:]), "pacia: ")
}

// Trouble returns the error for failed parts, nil if there are none. Bad input is
// reported as a single process would report it.
func (p *Plan) Trouble(failed []Failure) error {
	if len(failed) == 0 {
		return nil
	}
	for _, f := range failed {
		if f.BadInput {
			return &badinput.Error{What: f.Reason}
		}
	}
	first := failed[0]
	return fmt.Errorf("%d of %d parts were not ranked, the first of them part %d: %s; the same command ranks them, and keeps the others",
		len(failed), len(p.Parts), first.Part+1, first.Reason)
}
