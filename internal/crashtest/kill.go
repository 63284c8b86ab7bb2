package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"
)

// longestChain is how often a command is killed at most before it may end.
const longestChain = 8

// killChain kills a command at moments drawn at random, gives it again, and so on, and
// lets it end at last. It returns how often it was killed.
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

// killed gives the command and kills it, and its children with it or not.
func (h *harm) killed(dir string, r *reference, random *rand.Rand) (bool, outcome) {
	// The first half of a process's life it loads libtorch, and has nothing to lose.
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
