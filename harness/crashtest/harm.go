package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// harm is one run of this program.
type harm struct {
	program                                 string
	kills, faults, flips, pairs, full, ways int
	jobs                                    int
	seed                                    uint64
	work                                    string
	dirs                                    atomic.Int64
	mu                                      sync.Mutex
	done                                    map[string]int // numbers of harms, by kind and scenario
	losses                                  int
	skipped                                 []string
	verbose, besiege                        bool
	refs                                    []*reference
}

// A reference is the result of an undisturbed scenario.
type reference struct {
	scenario
	prints prints
	before prints // of inputs that the files replace
	took   time.Duration
	calls  int
	made   string // folder with what the command needs
}

func (h *harm) all(only string) error {
	h.done = map[string]int{}
	for _, s := range scenarios {
		if only != "" && !slices.Contains(strings.Split(only, ","), s.name) {
			continue
		}
		r, err := h.refer(s)
		if err != nil {
			return fmt.Errorf("%s, undisturbed: %w", s.name, err)
		}
		h.refs = append(h.refs, r)
	}
	if len(h.refs) == 0 {
		return fmt.Errorf("there is no scenario of %s", only)
	}
	for _, part := range []struct {
		name string
		n    int
		one  func(*reference, *rand.Rand) (int, error)
	}{
		{"kills", h.kills, h.killChain}, {"faults", h.faults, h.fault}, {"full disks", h.full, h.fullDisk},
		{"flips", h.flips, h.flip}, {"pairs", h.pairs, h.pair}, {"ways", h.ways, h.way},
	} {
		h.side(part.name, part.n, part.one)
	}
	if h.besiege {
		if err := h.siege(); err != nil {
			h.losses++
		}
	}
	return h.report()
}

// side does n harms of a kind over all scenarios, jobs at a time.
func (h *harm) side(kind string, n int, one func(*reference, *rand.Rand) (int, error)) {
	begun := time.Now()
	var next, made atomic.Int64
	var wg sync.WaitGroup
	for range h.jobs {
		wg.Go(func() {
			for made.Load() < int64(n) {
				i := next.Add(1) - 1
				if i > 20*int64(n) {
					return // the chosen scenario cannot be harmed in this way
				}
				r := h.refs[int(i)%len(h.refs)]
				random := rand.New(rand.NewPCG(h.seed, uint64(i)<<8|uint64(kind[0])))
				count, err := one(r, random)
				made.Add(int64(count))
				h.count(kind, r.name, count)
				if err != nil {
					h.lose(fmt.Sprintf("%s, %s, number %d: %v", kind, r.name, i, err))
				}
			}
		})
	}
	wg.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	fmt.Printf("%s: %d in %.0f s, %d losses so far\n", kind, h.done[kind], time.Since(begun).Seconds(), h.losses)
}

func (h *harm) count(kind, scenario string, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done[kind] += n
	h.done[kind+" of "+scenario] += n
}

func (h *harm) lose(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.losses++
	fmt.Println("LOSS", what)
}

func (h *harm) logf(format string, args ...any) {
	if h.verbose {
		h.mu.Lock()
		defer h.mu.Unlock()
		fmt.Printf(format+"\n", args...)
	}
}

func (h *harm) report() error {
	for _, kind := range []string{"kills", "faults", "full disks", "flips", "pairs", "ways"} {
		fmt.Printf("%-12s %6d ", kind, h.done[kind])
		for _, r := range h.refs {
			fmt.Printf(" %s %d", r.name, h.done[kind+" of "+r.name])
		}
		fmt.Println()
	}
	for _, name := range signals {
		fmt.Printf("%-12s sent %d, hit %d\n", unix.SignalName(name), h.done["sent "+unix.SignalName(name)], h.done["hit "+unix.SignalName(name)])
	}
	for _, s := range h.skipped {
		fmt.Println("not tried:", s)
	}
	if h.losses > 0 {
		return fmt.Errorf("%d losses; -seed %d leads to them again, except for what depends on the moment", h.losses, h.seed)
	}
	fmt.Println("no loss")
	return nil
}

// fresh makes a folder in which the command can be run.
func (h *harm) fresh(r *scenario) (string, error) {
	dir := filepath.Join(h.work, fmt.Sprintf("%s-%d", r.name, h.dirs.Add(1)))
	return dir, lay(dir)
}

func (h *harm) from(r *reference) (string, error) {
	dir, err := h.fresh(&r.scenario)
	if err == nil && r.made != "" {
		err = os.CopyFS(filepath.Join(dir, "run"), os.DirFS(filepath.Join(r.made, "run")))
	}
	return dir, err
}

func (h *harm) refer(s scenario) (*reference, error) {
	dir, err := h.fresh(&s)
	if err != nil {
		return nil, err
	}
	r := &reference{scenario: s}
	for _, args := range s.from {
		if err := h.attempt(dir, args).succeeded(); err != nil {
			return nil, err
		}
		r.made = dir
	}
	// The second time, the program is already in memory.
	for range 2 {
		again, err := h.from(r)
		if err != nil {
			return nil, err
		}
		if s.inPlace {
			if r.before, err = digest(again, s.files); err != nil {
				return nil, err
			}
		}
		begun := time.Now()
		if err := h.attemptOf(&s, again).succeeded(); err != nil {
			return nil, err
		}
		r.took = time.Since(begun)
		p, err := digest(again, s.files)
		if err != nil {
			return nil, err
		}
		if r.prints != nil {
			if err := p.same(r.prints); err != nil {
				return nil, fmt.Errorf("done twice: %w", err)
			}
		}
		r.prints = p
		_ = os.RemoveAll(again)
	}
	if len(r.prints) == 0 {
		return nil, errors.New("leaves no file")
	}
	if s.stdin != "" {
		fmt.Printf("%-9s %.2f s, %d files\n", s.name, r.took.Seconds(), len(r.prints))
		return r, nil
	}
	again, err := h.from(r)
	if err != nil {
		return nil, err
	}
	o, err := h.traced(s.args, trial{Dir: again})
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSYS) {
		h.skip("faults and flips, since this machine lets no program be traced: " + err.Error())
		return r, os.RemoveAll(again)
	}
	if err != nil {
		return nil, err
	}
	if err := o.succeeded(); err != nil {
		return nil, fmt.Errorf("traced: %w", err)
	}
	r.calls = o.Calls
	fmt.Printf("%-9s %.2f s, %d files, %d calls that change files\n", s.name, r.took.Seconds(), len(r.prints), r.calls)
	return r, os.RemoveAll(again)
}

// settle repeats the command without harm, and compares the files with the reference.
func (h *harm) settle(r *reference, dir string) error {
	if err := h.again(r, dir); err != nil {
		return fmt.Errorf("given again: %w", err)
	}
	if err := errors.Join(h.asReference(r, dir), untouched(dir), finished(dir, nil)); err != nil {
		return fmt.Errorf("given again: %w", err)
	}
	return os.RemoveAll(dir)
}

// oldOrNew returns an error if files that replace inputs are neither as before the command nor as after it.
func (r *reference) oldOrNew(p prints) error {
	if !r.inPlace || p.same(r.before) == nil || p.same(r.prints) == nil {
		return nil
	}
	return fmt.Errorf("neither old nor new: %w", p.same(r.before))
}

// asReference compares the files in dir with those of the reference.
func (h *harm) asReference(r *reference, dir string) error {
	p, err := digest(dir, r.files)
	if err != nil {
		return err
	}
	return p.same(r.prints)
}
