package rdkit

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// patience is the longest time that a process may take for one molecule. The slowest
// molecule that is known takes 4 s on an idle processor.
const patience = time.Minute

// window is the number of bytes of questions that are sent to a process before its answers
// are read. A pipe normally holds more, so that neither side waits for the other.
const window = 48 << 10

// apart is the pool of processes in which RDKit runs; nil: it runs in this process.
var apart atomic.Pointer[pool]

// pool manages processes that answer questions. There are as many as goroutines that ask at the same
// time.
type pool struct {
	command  []string // a program that calls Serve
	patience time.Duration

	worked  atomic.Bool // a process was started successfully
	mu      sync.Mutex
	idle    []*process
	stopped bool
}

// Apart makes RDKit run in separate processes from now on. Each runs command, a program
// that calls [Serve]. A molecule that crashes RDKit, or takes more than a minute, is then refused
// with this reason, and nothing else is lost.
//
// If command does not start, or was built with another RDKit, a warning is logged, and
// RDKit runs in this process as before. stop ends the processes.
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

// IsApart reports whether RDKit runs in separate processes.
func IsApart() bool { return apart.Load() != nil }

// ask calls take with each answer or error, in order. An answer is valid until take
// returns.
//
// If a process ends before it has answered all questions, the remaining ones of its batch are asked again
// one at a time. A question is refused only if a new process also ends because of it.
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
		if err != nil && !errors.Is(err, errUnfit) { // it was killed, or there was not enough memory
			if failed++; failed < tries {
				time.Sleep(time.Duration(failed) * 20 * time.Millisecond)
				continue
			}
			if p.worked.Load() { // the problem may be temporary
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
		case ctx.Err() != nil: // the cancelled context ended the process
		case n > 1 || h.asked: // another question may be the cause
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

// fitting returns the number of questions, at least one, that fit a window.
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
		slog.Warn("RDKit runs in the program's own process: a molecule that crashes RDKit ends the program", "reason", why)
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
