package serve

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A queue holds jobs: the few that arrive, wait and run, and finished ones, whose rows can be
// asked for.
type queue struct {
	options Options

	mu      sync.Mutex
	moved   sync.Cond // somebody waits, or the queue is closed
	closed  bool
	inside  int    // jobs that arrive, wait or run
	pending []*job // those that wait, the first to run first
	jobs    map[string]*job
}

func newQueue(o Options) *queue {
	h := &queue{options: o, jobs: map[string]*job{}}
	h.moved.L = &h.mu
	return h
}

// now is the clock; tests replace it.
var now = time.Now

// enter gives a new job its place, before anything of it is read. The caller submits the
// job or drops it.
func (h *queue) enter() (*job, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, problem{Status: http.StatusServiceUnavailable, What: "the server is about to end", Fix: "start it again"}
	}
	if h.inside == h.options.Jobs+h.options.Queue {
		return nil, problem{Status: http.StatusServiceUnavailable, What: fmt.Sprintf("the server is busy with %d rankings", h.inside), Fix: "try again in a few seconds"}
	}
	h.inside++
	j := &job{id: rand.Text(), queue: h, ended: make(chan struct{}), touched: now(), state: arriving}
	j.ctx, j.cancel = context.WithCancel(context.Background())
	return j, nil
}

// submit lets a job wait for its turn.
func (h *queue) submit(j *job, f *form) {
	h.mu.Lock()
	defer h.mu.Unlock()
	j.form, j.state, j.entered = f, waiting, now()
	h.jobs[j.id], h.pending = j, append(h.pending, j)
	h.moved.Signal()
}

// next waits for a job and begins it; nil when the queue is closed.
func (h *queue) next() *job {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.pending) == 0 {
		if h.closed {
			return nil
		}
		h.moved.Wait()
	}
	j := h.pending[0]
	h.pending = slices.Delete(h.pending, 0, 1)
	j.state, j.stage = running, "reading"
	return j
}

// leave makes room for another one; h.mu is held.
func (h *queue) leave() { h.inside-- }

func (h *queue) find(id string) (*job, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	j := h.jobs[id]
	if j == nil {
		return nil, problem{Status: http.StatusNotFound, What: "there is no such job", Fix: "it was removed, or nobody asked for it in time: send it again"}
	}
	j.touched = now()
	return j, nil
}

// ahead is how many jobs are before j, which waits: those that run, and those that came
// earlier.
func (h *queue) ahead(j *job) int {
	n := slices.Index(h.pending, j)
	for _, other := range h.jobs {
		if other.state == running {
			n++
		}
	}
	return n
}

// sweepEvery is how often forgotten jobs are looked for; tests replace it.
var sweepEvery = time.Second

// sweep removes jobs that nobody asks for any more, until ctx ends.
func (h *queue) sweep(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			for _, j := range h.forgotten() {
				j.remove()
			}
		}
	}
}

// forgotten returns jobs that were not asked for in time, and of more finished ones than
// are kept the one that was not for longest.
func (h *queue) forgotten() (old []*job) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var oldest *job
	finished := 0
	for _, j := range h.jobs {
		patience := h.options.Patience
		if j.state.over() {
			finished++
			patience = h.options.Keep
			if oldest == nil || j.touched.Before(oldest.touched) {
				oldest = j
			}
		}
		if !j.attended && now().Sub(j.touched) > patience {
			old = append(old, j)
		}
	}
	if finished > h.options.Kept {
		old = append(old, oldest)
	}
	return old
}

func (h *queue) close() {
	h.mu.Lock()
	h.closed = true
	h.moved.Broadcast()
	var all []*job
	for _, j := range h.jobs {
		all = append(all, j)
	}
	h.mu.Unlock()
	for _, j := range all {
		j.remove()
	}
}
