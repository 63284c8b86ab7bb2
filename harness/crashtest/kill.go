package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// longestChain is the largest number of kills before a command may end.
const longestChain = 8

// killChain repeatedly kills a command at a random moment and starts it again. Finally it lets
// the command end. It returns the number of kills.
func (h *harm) killChain(r *reference, random *rand.Rand) (kills int, err error) {
	dir, err := h.from(r)
	if err != nil {
		return 0, err
	}
	for n := 1 + random.IntN(longestChain); n > 0; n-- {
		before := unfinished(dir) // of earlier kills; a command that does not come as far leaves them to the next
		killed, o := h.killed(dir, r, random)
		if !killed {
			if refused := r.once && o.Exit == 2 && h.asReference(r, dir) == nil; !refused {
				err = o.succeeded()
			}
			if err != nil {
				return kills, fmt.Errorf("after %d kills: %w", kills, err)
			}
			break
		}
		kills++
		p, err := digest(dir, r.files)
		if err = errors.Join(err, r.oldOrNew(p), untouched(dir)); err == nil && o.Exit != -1 {
			err = finished(dir, before) // a signal that the program handles
		}
		if err != nil {
			return kills, fmt.Errorf("after %d kills: %w", kills, err)
		}
	}
	if err := h.settle(r, dir); err != nil {
		return kills, fmt.Errorf("%d kills: %w", kills, err)
	}
	return kills, nil
}

// signals end commands. SIGKILL is sent as often as the others together.
var signals = []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM}

// exitsOfSignals are the exit codes of commands that SIGINT and SIGTERM end.
var exitsOfSignals = []int{-1, 130, 143}

// killed runs the command and sends it a signal, with or without its children.
func (h *harm) killed(dir string, r *reference, random *rand.Rand) (bool, outcome) {
	// In the first half of its time a process loads libtorch, and writes nothing.
	from := 0.0
	if random.IntN(5) > 0 {
		from = 0.5
	}
	moment := time.Duration((from + random.Float64()*(1.05-from)) * float64(r.took))
	alone := random.IntN(2) == 0
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, stderr := h.command(ctx, dir, r.args)
	done, err := r.connect(c)
	if err != nil {
		return false, outcome{Exit: 127, Stderr: err.Error()}
	}
	defer done()
	signal := signals[max(0, random.IntN(4)-1)]
	if err := c.Start(); err != nil {
		return false, outcome{Exit: 127, Stderr: err.Error()}
	}
	timer := time.AfterFunc(moment, func() {
		to := -c.Process.Pid
		if alone {
			to = -to
		}
		h.count("sent "+unix.SignalName(signal), r.name, 1)
		_ = syscall.Kill(to, signal)
	})
	err = c.Wait()
	timer.Stop()
	o := ended(ctx, err, stderr)
	hit := slices.Contains(exitsOfSignals, o.Exit)
	if hit {
		h.count("hit "+unix.SignalName(signal), r.name, 1)
	}
	return hit, o
}
