package rdkit

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long one molecule may take in a process of its own. The slowest
// that is known takes 4 s of a quiet processor.
const patience = time.Minute

// window is how many bytes of questions go to a process before its answers are read.
// The system keeps as many for a pipe, so that neither side waits for the other.
const window = 48 << 10

// apart is where RDKit works in processes of its own; nil: it works in this one.
var apart atomic.Pointer[pool]

// pool is processes that wait for questions. As many run as goroutines ask at a time.
type pool struct {
	command  []string // that runs Serve
	patience time.Duration

	worked  atomic.Bool // a process has started once
	mu      sync.Mutex
	idle    []*process
	stopped bool
}

// Apart lets RDKit work in processes of its own from now on. Each runs
// command, a program that calls [Serve]. A molecule that brings RDKit down, or takes a
// minute, is then refused with this as the reason, and nothing else is lost.
//
// Where command does not start, or was built with another RDKit, a warning is logged,
// and RDKit works in this process as before. stop ends the processes.
func Apart(command ...string) (stop func()) {
	return (&pool{command: command, patience: patience}).begin()
}

func (p *pool) begin() (stop func()) {
	apart.Store(p)
	return func() {
		apart.CompareAndSwap(p, nil)
		p.stop()
	}
}

// IsApart says whether RDKit works in processes of its own.
func IsApart() bool { return apart.Load() != nil }

// ask gives each answer, or the reason why there is none, to take, in order. An answer
// is valid until take returns.
//
// Questions whose process ends over them are asked again one at a time, so that only
// the one to blame is refused, and only if a new process has also ended over it.
func (p *pool) ask(ctx context.Context, questions []question, take func(i int, answer []byte, err error)) {
	failed := 0
	for done, alone := 0, 0; done < len(questions); {
		if err := ctx.Err(); err != nil {
			take(done, nil, err)
			done++
			continue
		}
		n := 1
		if done >= alone {
			n = fitting(questions[done:])
		}
		h, err := p.get()
		if err != nil && !errors.Is(err, errUnfit) { // it was killed, or there was no room for it
			if failed++; failed < tries {
				time.Sleep(time.Duration(failed) * 20 * time.Millisecond)
				continue
			}
			if p.worked.Load() { // what holds now need not hold later
				take(done, nil, err)
				done, failed = done+1, 0
				continue
			}
		}
		if err != nil {
			p.leave(err)
			here(questions[done:], func(i int, answer []byte, err error) { take(done+i, answer, err) })
			return
		}
		got, err := h.ask(ctx, questions[done:done+n], p.patience, func(i int, answer []byte, err error) { take(done+i, answer, err) })
		if err == nil {
			p.put(h)
			done += got
			continue
		}
		reason := h.end(err)
		switch {
		case ctx.Err() != nil: // which is what ended it
		case n > 1 || h.asked: // something else may be to blame
			alone = max(alone, done+n)
		default:
			take(done, nil, reason)
			got = 1
		}
		done += got
	}
}

func (p *pool) one(ctx context.Context, q question) (answer []byte, err error) {
	p.ask(ctx, []question{q}, func(_ int, a []byte, e error) { answer, err = append(answer, a...), e })
	return answer, err
}

// fitting is how many questions go to a process together.
func fitting(questions []question) int {
	n, size := 1, questions[0].size()
	for n < len(questions) && size+questions[n].size() <= window {
		size += questions[n].size()
		n++
	}
	return n
}

func (p *pool) get() (*process, error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		h := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return h, nil
	}
	p.mu.Unlock()
	h, err := start(p.command)
	if err == nil {
		p.worked.Store(true)
	}
	return h, err
}

func (p *pool) put(h *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		_ = h.end(nil)
		return
	}
	h.asked = true
	p.idle = append(p.idle, h)
}

func (p *pool) leave(why error) {
	if apart.CompareAndSwap(p, nil) {
		slog.Warn("RDKit works in the program's own process, which a molecule that brings it down takes with it", "reason", why)
	}
}

func (p *pool) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	for _, h := range p.idle {
		_ = h.end(nil)
	}
	p.idle = nil
}
