package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"
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
		killed, o := h.killed(dir, r, random)
		if !killed {
			if err := o.succeeded(); err != nil {
				return kills, fmt.Errorf("after %d kills: %w", kills, err)
			}
			break
		}
		kills++
		if _, err := digest(dir, r.files); err != nil {
			return kills, fmt.Errorf("after %d kills: %w", kills, err)
		}
	}
	if err := h.settle(r, dir); err != nil {
		return kills, fmt.Errorf("%d kills: %w", kills, err)
	}
	return kills, nil
}

// killed runs the command and kills it, with or without its children.
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
	if err := c.Start(); err != nil {
		return false, outcome{Exit: 127, Stderr: err.Error()}
	}
	timer := time.AfterFunc(moment, func() {
		if alone {
			_ = syscall.Kill(c.Process.Pid, syscall.SIGKILL)
			return
		}
		group(c.Process.Pid)
	})
	err := c.Wait()
	timer.Stop()
	o := ended(ctx, err, stderr)
	return o.Exit == -1, o
}
