package serve

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// A hall is where jobs are: those that arrive, wait and run, of which there are few, and
// those that are finished, whose rows can be asked for.
type hall struct {
	options Options
	arrived chan struct{} // has something where the queue may

	mu     sync.Mutex
	queue  []*job // that wait, the first one first
	inside int    // jobs that arrive, wait or run
	jobs   map[string]*job
}

func newHall(o Options) *hall {
	return &hall{options: o, arrived: make(chan struct{}, 1), jobs: map[string]*job{}}
}

// now is the time, of which tests have their own.
var now = time.Now

// enter gives a new job its place, before anything of it is read. Whoever enters submits
// the job or drops it.
func (h *hall) enter() (*job, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.inside == h.options.Jobs+h.options.Queue {
		return nil, problem{Status: http.StatusServiceUnavailable, What: fmt.Sprintf("the server is busy with %d rankings", h.inside), Fix: "try again in a few seconds"}
	}
	h.inside++
	j := &job{id: rand.Text(), hall: h, ended: make(chan struct{}), touched: now(), state: arriving}
	j.ctx, j.cancel = context.WithCancel(context.Background())
	return j, nil
}

// submit lets a job wait for its turn.
func (h *hall) submit(j *job, f *form) {
	h.mu.Lock()
	defer h.mu.Unlock()
	j.form, j.state, j.entered = f, waiting, now()
	h.jobs[j.id] = j
	h.queue = append(h.queue, j)
	h.call()
}

// call lets one worker look at the queue.
func (h *hall) call() {
	select {
	case h.arrived <- struct{}{}:
	default: // one is about to
	}
}

// next waits for a job and takes it out of the queue; nil where ctx has ended.
func (h *hall) next(ctx context.Context) *job {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-h.arrived:
			if j := h.take(); j != nil {
				return j
			}
		}
	}
}

// take begins the first job that waits; nil where there is none.
func (h *hall) take() *job {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue) == 0 {
		return nil
	}
	j := h.queue[0]
	h.queue = h.queue[1:]
	if len(h.queue) > 0 {
		h.call()
	}
	j.state, j.begun, j.stage = running, now(), "reading"
	return j
}

// leave makes room for another one; h.mu is held.
func (h *hall) leave() { h.inside-- }

// find returns a job, and takes note that somebody asked for it.
func (h *hall) find(id string) (*job, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	j := h.jobs[id]
	if j == nil {
		return nil, problem{Status: http.StatusNotFound, What: "there is no such job", Fix: "it was removed, or nobody asked for it in time: send it again"}
	}
	j.touched = now()
	return j, nil
}

// ahead is how many jobs are before j: those that run, and those that came earlier.
func (h *hall) ahead(j *job) (n int) {
	for _, other := range h.jobs {
		if other.state == running || other.state == waiting && other.entered.Before(j.entered) {
			n++
		}
	}
	return n
}

// sweep removes jobs that nobody asks for any more, until ctx ends.
func (h *hall) sweep(ctx context.Context) {
	tick := time.NewTicker(time.Second)
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
func (h *hall) forgotten() (old []*job) {
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

// close removes all jobs.
func (h *hall) close() {
	h.mu.Lock()
	var all []*job
	for _, j := range h.jobs {
		all = append(all, j)
	}
	h.mu.Unlock()
	for _, j := range all {
		j.remove()
	}
}
