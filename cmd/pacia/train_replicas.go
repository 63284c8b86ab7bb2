package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"pacia/config"
	"pacia/train"
)

// A replicasReport shows several runs that go on side by side: one bar for all,
// and a line an evaluation of each that begins with its seed. It counts steps
// of all of them.
type replicasReport struct {
	mu sync.Mutex // the runs report from goroutines of their own
	display
	cfg         config.Config
	dir         string
	begun       time.Time // zero: none has
	done, total int       // steps, those of earlier calls among them
	made        int       // steps of this call
	episode     map[uint64]int
}

func newReplicasReport(out, progress io.Writer, cfg config.Config, dir string) *replicasReport {
	return &replicasReport{
		display: newDisplay(out, progress), cfg: cfg, dir: dir,
		total: cfg.Train.Replicas * cfg.Train.Episodes, episode: map[uint64]int{},
	}
}

// Replica returns the report of the run with that seed.
func (r *replicasReport) Replica(seed uint64) train.Reporter {
	return &replicaReport{all: r, seed: seed}
}

// Failed prints why a run has ended; its steps are no longer to be made.
func (r *replicasReport) Failed(seed uint64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.total -= r.cfg.Train.Episodes - r.episode[seed]
	if r.bar != nil {
		r.bar.ChangeMax(max(1, r.total))
	}
	r.clear()
	say(r.progress, "seed %d  failed: %s\n", seed, firstLine(err))
}

// start prints the header, once, and where a run goes on.
func (r *replicasReport) start(seed uint64, s train.StartInfo) {
	r.mu.Lock()
	defer r.mu.Unlock()
	resumed := s.Episode
	if r.begun.IsZero() {
		r.begun = r.now()
		s.Dir, s.Episode = r.dir, 0
		writeHeader(r.out, r.cfg, s)
		r.begin(r.total)
	}
	if resumed > 0 {
		r.episode[seed] = resumed
		r.done += resumed
		r.print(fmt.Sprintf("seed %d  resumed after episode %d\n", seed, resumed))
	}
}

func (r *replicasReport) step(seed uint64, s train.StepInfo) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.episode[seed] = s.Episode
	r.done++
	r.made++
	r.show("steps of all replicas", r.done, r.total, r.state)
}

// state is the variable part of a line of progress.
func (r *replicasReport) state() string {
	passed := r.now().Sub(r.begun)
	left := time.Duration(float64(passed) * float64(r.total-r.done) / float64(r.made))
	return fmt.Sprintf("%.2f step/s  %v left", float64(r.made)/passed.Seconds(), left.Round(time.Second))
}

func (r *replicasReport) evaluation(seed uint64, line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.print(fmt.Sprintf("seed %d  %s", seed, line))
}

// finish takes the bar away and prints what came of the runs.
func (r *replicasReport) finish(s train.ReplicaSummary, err error) error {
	r.close()
	if err == nil {
		writeReplicas(r.out, s)
	}
	return err
}

// A replicaReport is that of one of the runs.
type replicaReport struct {
	all  *replicasReport
	seed uint64
	pace pace
}

func (r *replicaReport) Start(s train.StartInfo) {
	r.pace = newPace(s, r.all.cfg.Train.EvaluateEvery)
	r.all.start(r.seed, s)
}

func (r *replicaReport) Step(s train.StepInfo) {
	r.pace.step(s)
	r.all.step(r.seed, s)
}

func (r *replicaReport) Evaluation(e train.EvalInfo) {
	r.all.evaluation(r.seed, evaluationLine(e, r.pace))
}

// Done prints nothing: the last evaluation has its line, and all runs together
// a table.
func (r *replicaReport) Done(train.Summary) {}
