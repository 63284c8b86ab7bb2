package train

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pacia/data"
)

// Every random choice of a run is a pure function of the seed, the name of a
// stream and a number, so that a run resumes without the state of a generator.
const (
	streamOrder   = "order of tasks"   // by pass over the training tasks (an episode of the paper)
	streamEpisode = "training episode" // by position in the sequence of training tasks
	streamSecond  = "second episode"   // likewise
	streamShuffle = "shuffled labels"  // likewise
	streamSwap    = "swapped classes"  // likewise
	streamDropout = "dropout"          // by optimisation step
)

// episodes draws the training episodes of a run.
type episodes struct {
	data          *data.Dataset
	seed          uint64
	tasks         []int // numbers of the training tasks
	perStep       int   // B
	pass          bool  // no step has tasks of two passes
	twice         bool  // each task of a step has two episodes, one after the other
	rule          data.Draw
	queries       int // M; 0: all others
	shuffleLabels bool
	swapClasses   bool
	shares        []float64 // cumulative probabilities of the tasks, ascending to 1; nil: all tasks are equally likely
}

// rootShares returns the cumulative probabilities of tasks that are drawn in proportion to the
// square root of their size.
func rootShares(d *data.Dataset, tasks []int) []float64 {
	shares, sum := make([]float64, len(tasks)), 0.0
	for i, task := range tasks {
		sum += math.Sqrt(float64(len(d.Tasks[task].Rows)))
		shares[i] = sum
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares
}

// step holds the input of one optimisation step, in host memory.
type step struct {
	Number  int // 1 for the first step
	Episode int // the episode of the step, counted from 1
	Tasks   []data.Episode
	Batch   *data.Batch
	Dropout uint64 // the key of its dropout masks
}

func (e *episodes) draw(number int) (step, error) {
	streams := []string{streamEpisode}
	if e.twice {
		streams = append(streams, streamSecond)
	}
	from, n := e.positions(number)
	s := step{
		Number:  number,
		Episode: (number-1)/e.steps() + 1,
		Tasks:   make([]data.Episode, n*len(streams)),
		Dropout: data.Rand(e.seed, streamDropout, uint64(number)).Uint64(),
	}
	for i := range s.Tasks {
		position := from + uint64(i/len(streams))
		var err error
		if s.Tasks[i], err = e.at(position, streams[i%len(streams)]); err != nil {
			return step{}, fmt.Errorf("episode %d: %w", s.Episode, err)
		}
	}
	var err error
	if s.Batch, err = data.Assemble(e.data.Store, s.Tasks); err != nil {
		return step{}, fmt.Errorf("episode %d: %w", s.Episode, err)
	}
	return s, nil
}

func (e *episodes) steps() int {
	if !e.pass {
		return 1
	}
	return (len(e.tasks) + e.perStep - 1) / e.perStep
}

// positions returns the positions of a step in the sequence of training tasks: the first one
// and their number. The last step of a pass has the remaining tasks of the pass.
func (e *episodes) positions(number int) (from uint64, n int) {
	if !e.pass {
		return uint64(number-1) * uint64(e.perStep), e.perStep
	}
	pass, before := (number-1)/e.steps(), (number-1)%e.steps()*e.perStep
	return uint64(pass)*uint64(len(e.tasks)) + uint64(before), min(e.perStep, len(e.tasks)-before)
}

// at draws the episode at a position of the infinite sequence of training tasks with
// the given stream. A task that is too small for the draw is replaced by the next one.
func (e *episodes) at(position uint64, stream string) (ep data.Episode, err error) {
	task := e.from(position)
	for i := range uint64(len(e.tasks)) {
		ep, err = e.episode(task(i), position, stream)
		if !errors.Is(err, data.ErrTooSmall) {
			break
		}
	}
	return ep, err
}

// from returns the candidates for a position: the task itself for i = 0, then its
// replacements. They follow it in the shuffled order of its pass or, where tasks are
// drawn by shares, in the list of tasks.
func (e *episodes) from(position uint64) func(i uint64) int {
	n := uint64(len(e.tasks))
	if e.shares != nil {
		drawn, _ := slices.BinarySearch(e.shares, data.Rand(e.seed, streamOrder, position).Float64())
		return func(i uint64) int { return e.tasks[(uint64(drawn)+i)%n] }
	}
	order := data.Rand(e.seed, streamOrder, position/n).Perm(len(e.tasks))
	return func(i uint64) int { return e.tasks[order[(position+i)%n]] }
}

func (e *episodes) episode(task int, position uint64, stream string) (data.Episode, error) {
	t, r := &e.data.Tasks[task], data.Rand(e.seed, stream, position)
	ep, err := e.rule.Training(t, task, e.queries, r)
	if err == nil && e.shuffleLabels {
		ep.ShuffleSupport(data.Rand(e.seed, streamShuffle, position))
	}
	if err == nil && e.swapClasses && data.Rand(e.seed, streamSwap, position).IntN(2) == 1 {
		ep = ep.SwapClasses()
	}
	return ep, err
}
