package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"pacia/config"
	"pacia/internal/ui"
	"pacia/rundir"
	"pacia/train"
)

// A replicasDisplay shows several runs that go on side by side: one bar for all,
// and a line an evaluation of each that begins with its seed. It counts steps
// of all of them.
type replicasDisplay struct {
	mu sync.Mutex // the runs report from goroutines of their own
	ui.Display
	cfg         config.Config
	dir         string
	begun       time.Time // zero: none has
	done, total int       // steps, those of earlier calls among them
	made        int       // steps of this call
	episode     map[uint64]int
}

func newReplicasDisplay(out, progress io.Writer, cfg config.Config, dir string) *replicasDisplay {
	return &replicasDisplay{
		Display: ui.NewDisplay(out, progress), cfg: cfg, dir: dir,
		total: cfg.Train.Replicas * cfg.Train.Episodes, episode: map[uint64]int{},
	}
}

// Replica returns the report of the run with that seed.
func (r *replicasDisplay) Replica(seed uint64) train.Reporter {
	return &replicaDisplay{all: r, seed: seed}
}

// Failed prints why a run has ended; its steps are no longer to be made.
func (r *replicasDisplay) Failed(seed uint64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total -= r.cfg.Train.Episodes - r.episode[seed]
	r.SetTotal(r.total)
	r.Clear()
	ui.Say(r.Progress, "seed %d  failed: %s\n", seed, firstLine(err))
}

// start prints the header, once, and where a run goes on.
func (r *replicasDisplay) start(seed uint64, s train.StartInfo) {
	r.mu.Lock()
	defer r.mu.Unlock()
	resumed := s.Episode
	if r.begun.IsZero() {
		r.begun = r.Now()
		s.Dir, s.Episode = r.dir, 0
		writeHeader(r.Out, r.cfg, s)
		r.Begin(r.total)
	}
	if resumed > 0 {
		r.episode[seed] = resumed
		r.done += resumed
		r.Print(fmt.Sprintf("seed %d  resumed after episode %d\n", seed, resumed))
	}
}

func (r *replicasDisplay) step(seed uint64, s rundir.Step) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.episode[seed] = s.Episode
	r.done++
	r.made++
	r.Show("steps of all replicas", r.done, r.total, r.state)
}

// state is the variable part of a line of progress.
func (r *replicasDisplay) state() string {
	passed := r.Now().Sub(r.begun)
	left := time.Duration(float64(passed) * float64(r.total-r.done) / float64(r.made))
	return fmt.Sprintf("%.2f step/s  %v left", float64(r.made)/passed.Seconds(), left.Round(time.Second))
}

func (r *replicasDisplay) evaluation(seed uint64, line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Print(fmt.Sprintf("seed %d  %s", seed, line))
}

// finish takes the bar away and prints what came of the runs.
func (r *replicasDisplay) finish(s rundir.ReplicaSummary, err error) error {
	r.Close()
	if err == nil {
		writeReplicas(r.Out, s)
	}
	return err
}

// A replicaDisplay is that of one of the runs.
type replicaDisplay struct {
	all  *replicasDisplay
	seed uint64
	pace ui.Pace
}

func (r *replicaDisplay) Start(s train.StartInfo) {
	r.pace = newPace(s, r.all.cfg)
	r.all.start(r.seed, s)
}

func (r *replicaDisplay) Step(s rundir.Step) {
	r.pace.Step(s.Episode, s.Loss, s.Seconds)
	r.all.step(r.seed, s)
}

func (r *replicaDisplay) Evaluation(e rundir.Evaluation) {
	r.all.evaluation(r.seed, evaluationLine(e, &r.pace))
}

// Done prints nothing: the last evaluation has its line, and all runs together
// a table.
func (r *replicaDisplay) Done(rundir.Summary) {}
