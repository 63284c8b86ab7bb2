package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"

	"pacia/internal/badinput"
	"pacia/internal/each"
)

// Options controls how the runs of a plan are made.
type Options struct {
	Dir     string           // of the sweep
	Program []string         // command of pacia, before the arguments of train
	Only    int              // the index of the only run to make; -1: all
	Retry   bool             // make failed runs again
	Watch   func(Run, State) // called for each run that begins or ends, one after the other
}

type queue struct {
	plan    *Plan
	options Options
	mu      sync.Mutex // for Watch and errs
	errs    []error
}

// Run makes the runs that have not finished, PerDevice at a time on each device. It
// returns the states of all runs, in the order of the plan. The error is that of the
// sweep itself, not of a failed run. When ctx ends, the running runs save and end.
func (p *Plan) Run(ctx context.Context, o Options) ([]State, error) {
	q := &queue{plan: p, options: o}
	watch := o.Watch
	q.options.Watch = func(r Run, s State) {
		q.mu.Lock()
		defer q.mu.Unlock()
		watch(r, s)
	}
	if o.Only < 0 {
		lock, err := q.alone()
		if err != nil {
			return nil, err
		}
		defer lock.Close()
	}
	todo, err := q.todo()
	if err != nil {
		return nil, err
	}
	pending := make(chan Run, len(todo))
	for _, r := range todo {
		pending <- r
	}
	close(pending)
	var places sync.WaitGroup
	for range p.PerDevice {
		for _, device := range p.Devices {
			places.Go(func() { q.serve(ctx, device, pending) })
		}
	}
	places.Wait()
	states, err := p.States(o.Dir)
	return states, errors.Join(append(q.errs, err)...)
}

func (q *queue) serve(ctx context.Context, device string, pending <-chan Run) {
	for r := range pending {
		if ctx.Err() != nil {
			return
		}
		s, err := q.process(ctx, r, device)
		switch {
		case err == nil:
			q.options.Watch(r, s)
		case !errors.Is(err, ctx.Err()) || ctx.Err() == nil:
			q.mu.Lock()
			q.errs = append(q.errs, fmt.Errorf("run %s: %w", r.Name, err))
			q.mu.Unlock()
			return // such as a full disk: other runs would also fail
		}
	}
}

func (q *queue) todo() ([]Run, error) {
	runs := q.plan.Runs
	if q.options.Only >= 0 {
		if q.options.Only >= len(runs) {
			return nil, &badinput.Error{File: q.plan.File, What: fmt.Sprintf("there is no run %d", q.options.Only), Fix: fmt.Sprintf("write --only 0 to %d", len(runs)-1)}
		}
		runs = runs[q.options.Only : q.options.Only+1]
	}
	var todo []Run
	for _, r := range runs {
		s, err := runFiles{q.options.Dir, r.Name}.read()
		if err != nil {
			return nil, err
		}
		if !s.done(r, runFiles{q.options.Dir, r.Name}) && (s.Status != Failed || q.options.Retry) {
			todo = append(todo, r)
		}
	}
	return todo, nil
}

// Todo returns the indices of the runs to make.
func (p *Plan) Todo(dir string, retry bool) ([]int, error) {
	q := &queue{plan: p, options: Options{Dir: dir, Only: -1, Retry: retry}}
	runs, err := q.todo()
	indices := each.Of(runs, func(r Run) int { return r.Index })
	return indices, err
}

// alone locks the folder against other sweeps, with which a device would have more runs
// than allowed.
func (q *queue) alone() (*os.File, error) {
	path := filepath.Join(q.options.Dir, "lock")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = &badinput.Error{File: q.options.Dir, What: "another pacia sweep is at work in this folder", Fix: "wait for it to end, or choose another folder with --out"}
		}
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// threads divides the cores among several runs on the CPU. It returns 0, which leaves the
// number to the settings, if these define it, on a GPU and for a single run.
func (q *queue) threads(r Run, device string) int {
	places := 0
	for _, d := range q.plan.Devices {
		if d == device {
			places += q.plan.PerDevice
		}
	}
	if device != "cpu" || r.Config.Threads != 0 || places < 2 || q.options.Only >= 0 {
		return 0
	}
	return max(1, runtime.GOMAXPROCS(0)/places)
}

// States reads the states of all runs so far.
func (p *Plan) States(dir string) ([]State, error) {
	states := make([]State, len(p.Runs))
	for i, r := range p.Runs {
		var err error
		at := runFiles{dir, r.Name}
		if states[i], err = at.read(); err != nil {
			return nil, err
		}
		if states[i].Status == Running && !held(at.lock()) {
			states[i].Status = Stopped // the run and its sweep were killed
		}
		if states[i].Status == Finished && !states[i].done(r, at) {
			states[i].Status = Waiting // it needs more episodes, or its folder was removed
		}
	}
	return states, nil
}

// Count returns the number of states with that status.
func Count(states []State, status Status) int {
	return len(slices.DeleteFunc(slices.Clone(states), func(s State) bool { return s.Status != status }))
}
