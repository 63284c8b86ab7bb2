package rdkit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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

// reader is the pool of processes in which RDKit runs.
var reader atomic.Pointer[pool]

func init() { reader.Store(&pool{command: []string{Program()}, patience: patience}) }

// pool manages processes that answer questions. There are as many as goroutines that ask at the same
// time.
type pool struct {
	command  []string // a program that calls Serve
	patience time.Duration

	version atomic.Pointer[string] // of RDKit in the first process; nil: none was started successfully
	mu      sync.Mutex
	idle    []*process
	stopped bool
}

// Program returns the path of pacia-rdkit, the program in which RDKit runs: PACIA_RDKIT, or the one in the folder of
// this program.
func Program() string {
	if path := os.Getenv("PACIA_RDKIT"); path != "" {
		return path
	}
	pacia, err := os.Executable()
	if err != nil {
		return "pacia-rdkit"
	}
	return filepath.Join(filepath.Dir(pacia), "pacia-rdkit")
}

// Ready returns an error if RDKit cannot run, with the path of the program in which it is to run. No molecule
// can then be read, except plain ones.
func Ready() error {
	_, err := reader.Load().rdkit()
	return err
}

// Version returns RDKit's version, such as "2022.09.3", or an empty text if RDKit cannot run. Graphs may differ
// between versions.
func Version() string {
	version, _ := reader.Load().rdkit()
	return version
}

func (p *pool) rdkit() (string, error) {
	if version := p.version.Load(); version != nil {
		return *version, nil
	}
	h, err := p.get()
	if err != nil {
		return "", err
	}
	p.put(h)
	return h.rdkit, nil
}

// ask calls take with each answer or error, in order. An answer is valid until take
// returns.
//
// If a process ends before it has answered all questions, the remaining ones of its batch are asked again
// one at a time. A question is refused only if a new process also ends because of it.
func (p *pool) ask(ctx context.Context, questions []question, take func(i int, answer []byte, err error)) {
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
		if err != nil {
			refused := 1 // the problem may be temporary
			if p.version.Load() == nil || errors.Is(err, errUnfit) {
				refused = len(questions) - done
			}
			for range refused {
				take(done, nil, err)
				done++
			}
			continue
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
	var err error
	for failed := range tries { // it may be killed, or there may be not enough memory
		time.Sleep(time.Duration(failed) * 20 * time.Millisecond)
		var h *process
		if h, err = start(p.command); err == nil {
			p.version.CompareAndSwap(nil, &h.rdkit)
			return h, nil
		}
		if errors.Is(err, errUnfit) {
			break
		}
	}
	return nil, err
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

func (p *pool) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	for _, h := range p.idle {
		_ = h.end(nil)
	}
	p.idle = nil
}
