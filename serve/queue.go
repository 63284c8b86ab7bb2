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

// A queue holds the jobs that arrive, wait or run, and finished ones, whose rows can be requested.
type queue struct {
	options Options

	mu      sync.Mutex
	moved   sync.Cond // a job was added to pending, or the queue was closed
	closed  bool
	inside  int    // number of jobs that arrive, wait or run
	pending []*job // waiting jobs, in the order in which they will run
	jobs    map[string]*job
}

func newQueue(o Options) *queue {
	h := &queue{options: o, jobs: map[string]*job{}}
	h.moved.L = &h.mu
	return h
}

// now returns the current time; tests replace it.
var now = time.Now

// enter reserves a place for a new job, before its request is read. The caller submits the
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

// submit adds a job with its form to the waiting ones.
func (h *queue) submit(j *job, f *form) {
	h.mu.Lock()
	defer h.mu.Unlock()
	j.form, j.state, j.entered = f, waiting, now()
	h.jobs[j.id], h.pending = j, append(h.pending, j)
	h.moved.Signal()
}

// next waits for a job and marks it as running. It returns nil once the queue is closed.
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

// leave frees the place of a job. The caller holds h.mu.
func (h *queue) leave() { h.inside-- }

func (h *queue) find(id string) (*job, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	j := h.jobs[id]
	if j == nil {
		return nil, problem{Status: http.StatusNotFound, What: "there is no such job", Fix: "it was removed, or expired without requests: send it again"}
	}
	j.touched = now()
	return j, nil
}

// ahead returns the number of jobs before the waiting job j: the running ones and the earlier waiting ones.
func (h *queue) ahead(j *job) int {
	n := slices.Index(h.pending, j)
	for _, other := range h.jobs {
		if other.state == running {
			n++
		}
	}
	return n
}

// sweepEvery is the interval between two searches for forgotten jobs; tests replace it.
var sweepEvery = time.Second

// sweep removes forgotten jobs until ctx ends.
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

// forgotten returns the jobs that had no request within their time limit. If there are more finished
// jobs than the options keep, it also returns the one whose last request is the oldest.
func (h *queue) forgotten() (old []*job) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var oldest *job
	finished := 0
	for _, j := range h.jobs {
		patience := h.options.Patience
		if j.state.over() {
			finished++
			patience = h.options.Retention
			if oldest == nil || j.touched.Before(oldest.touched) {
				oldest = j
			}
		}
		if !j.attended && now().Sub(j.touched) > patience {
			old = append(old, j)
		}
	}
	if finished > h.options.MaxFinished {
		old = append(old, oldest)
	}
	return old
}

// evict removes the finished job whose last request is the oldest, if that is long ago. It returns false if there is none.
func (h *queue) evict() bool {
	h.mu.Lock()
	var oldest *job
	for _, j := range h.jobs {
		resting := j.result != nil && j.users == 0 && !j.attended && now().Sub(j.touched) > memoryRest
		if resting && (oldest == nil || j.touched.Before(oldest.touched)) {
			oldest = j
		}
	}
	h.mu.Unlock()
	if oldest == nil {
		return false
	}
	oldest.remove()
	return true
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
