package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"pacia/config"
	"pacia/internal/ui"
	"pacia/run/rundir"
	"pacia/train"
)

// A replicasDisplay shows the progress of several runs that train at the same time. It has one bar,
// which counts the steps of all runs, and a line for each evaluation, which begins with the seed.
type replicasDisplay struct {
	mu sync.Mutex // the runs report from goroutines of their own
	ui.Display
	cfg       config.Config
	dir       string
	begun     time.Time         // zero before the first run begins
	done      int               // steps of all runs, including earlier calls
	stepsHere int               // steps of this call
	perRun    int               // steps of a run; 0 before the first run begins
	failed    []uint64          // seeds of failed runs, whose other steps do not count
	ofRun     map[uint64]int    // steps of each run so far
	beside    map[uint64]string // progress of evaluations and supervised steps that are running
	timed     bool              // the expected length was printed
}

func newReplicasDisplay(out, progress io.Writer, cfg config.Config, dir string) *replicasDisplay {
	return &replicasDisplay{
		Display: ui.NewDisplay(out, progress), cfg: cfg, dir: dir,
		ofRun: map[uint64]int{}, beside: map[uint64]string{},
	}
}

// total returns the number of steps of all runs, including earlier calls.
func (r *replicasDisplay) total() int {
	n := (r.cfg.Train.Replicas - len(r.failed)) * r.perRun
	for _, seed := range r.failed {
		n += r.ofRun[seed]
	}
	return n
}

// Replica returns the reporter of the run with that seed.
func (r *replicasDisplay) Replica(seed uint64) train.Reporter {
	return &replicaDisplay{all: r, seed: seed}
}

// Failed prints why a run failed, and subtracts its other steps from the total.
func (r *replicasDisplay) Failed(seed uint64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = append(r.failed, seed)
	r.SetTotal(r.total())
	r.Clear()
	ui.Say(r.Progress, "seed %d  failed: %s\n", seed, firstLine(err))
}

// start prints the header once, and for a resumed run the episode from which it continues.
func (r *replicasDisplay) start(seed uint64, s train.StartInfo) {
	r.mu.Lock()
	defer r.mu.Unlock()
	resumed := s.Episode
	r.ofRun[seed] = s.Step
	r.done += s.Step
	if r.begun.IsZero() {
		r.begun = r.Now()
		r.perRun = s.Episodes * s.StepsPerEpisode
		s.Dir, s.Episode, s.Step = r.dir, 0, 0
		writeHeader(r.Out, r.cfg, s)
		r.Begin(r.total())
	}
	if r.ofRun[seed] > 0 {
		r.Print(fmt.Sprintf("seed %d  resumed after episode %d\n", seed, resumed))
	}
}

func (r *replicasDisplay) step(seed uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ofRun[seed]++
	r.done++
	r.stepsHere++
	r.Show("steps of all replicas", r.done, r.total(), r.state)
}

// state is the variable part of a line of progress.
func (r *replicasDisplay) state() string {
	text := ""
	if r.stepsHere > 0 {
		passed := r.Now().Sub(r.begun)
		left := time.Duration(float64(passed) * float64(r.total()-r.done) / float64(r.stepsHere))
		text = fmt.Sprintf("%.2f step/s  %v left", float64(r.stepsHere)/passed.Seconds(), left.Round(time.Second))
	}
	for _, seed := range slices.Sorted(maps.Keys(r.beside)) {
		text += fmt.Sprintf("  seed %d: %s", seed, r.beside[seed])
	}
	return text
}

// length prints the expected length of the first run that reports one.
func (r *replicasDisplay) length(seed uint64, l train.Length) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.timed {
		return
	}
	r.timed = true
	r.Clear()
	ui.Say(r.Progress, "seed %d  %s\n", seed, lengthLine(l))
}

// rank shows the progress of one run's evaluation.
func (r *replicasDisplay) rank(seed uint64, done, total int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.aside(seed, done, total, "molecules ranked")
}

// supervised shows the progress of one run's steps before the first episode. The speed
// does not include them.
func (r *replicasDisplay) supervised(seed uint64, step, steps int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stepsHere == 0 {
		r.begun = r.Now()
	}
	r.aside(seed, step, steps, "supervised steps")
	if step == steps {
		delete(r.beside, seed)
	}
}

func (r *replicasDisplay) aside(seed uint64, done, total int, what string) {
	r.beside[seed] = fmt.Sprintf("%s of %s %s", ui.Grouped(done), ui.Grouped(total), what)
	r.Show("steps of all replicas", r.done, r.total(), r.state)
}

func (r *replicasDisplay) evaluation(seed uint64, line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.beside, seed)
	r.Print(fmt.Sprintf("seed %d  %s", seed, line))
}

// finish removes the bar and prints the results of the runs.
func (r *replicasDisplay) finish(s rundir.ReplicaSummary, err error) error {
	r.Close()
	if err == nil {
		writeReplicas(r.Out, s)
	}
	return err
}

// A replicaDisplay is the reporter of one of the runs.
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
	r.all.step(r.seed)
}

func (r *replicaDisplay) Length(l train.Length) {
	r.pace.Evaluated(l.EvaluationSeconds)
	r.all.length(r.seed, l)
}

func (r *replicaDisplay) Supervised(step, steps int, _ float64) {
	r.all.supervised(r.seed, step, steps)
}

func (r *replicaDisplay) Taught(e rundir.Evaluation) { r.all.evaluation(r.seed, taughtLine(e)) }

func (r *replicaDisplay) Ranking(done, total int) { r.all.rank(r.seed, done, total) }

func (r *replicaDisplay) Evaluation(e rundir.Evaluation) {
	r.all.evaluation(r.seed, evaluationLine(e, &r.pace))
}

// Done prints nothing: the last evaluation has a line, and a table shows all runs at the end.
func (r *replicaDisplay) Done(rundir.Summary) {}
