package train

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pacia/data"
)

// Every random choice of a run is a pure function of the seed, the name of a
// stream and a number, so that a resumed run needs no generator's state.
const (
	streamOrder   = "order of tasks"   // by pass over the training tasks, which is an episode of the paper
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
	shares        []float64 // of tasks up to each, ascending to 1; nil: all are drawn as often
}

// rootShares are those of tasks drawn by the square roots of their sizes.
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
	Episode int // that it belongs to, counted from 1
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

// positions returns those of a step in the sequence of training tasks: the first, and
// how many there are. The last step of a pass has what is left of its tasks.
func (e *episodes) positions(number int) (from uint64, n int) {
	if !e.pass {
		return uint64(number-1) * uint64(e.perStep), e.perStep
	}
	pass, before := (number-1)/e.steps(), (number-1)%e.steps()*e.perStep
	return uint64(pass)*uint64(len(e.tasks)) + uint64(before), min(e.perStep, len(e.tasks)-before)
}

// at returns the episode at a position of the endless sequence of training
// tasks, drawn by a stream. Where a task does not hold the draw, the next one takes its place.
func (e *episodes) at(position uint64, stream string) (ep data.Episode, err error) {
	task := e.from(position)
	for i := range uint64(len(e.tasks)) {
		ep, err = e.of(task(i), position, stream)
		if !errors.Is(err, data.ErrTooSmall) {
			break
		}
	}
	return ep, err
}

// from returns the task of a position, 0, and those that may take its place: of the
// tasks in a shuffled order, then in another one, and so on; or, where tasks are drawn
// by their shares, of their list.
func (e *episodes) from(position uint64) func(i uint64) int {
	n := uint64(len(e.tasks))
	if e.shares != nil {
		drawn, _ := slices.BinarySearch(e.shares, data.Rand(e.seed, streamOrder, position).Float64())
		return func(i uint64) int { return e.tasks[(uint64(drawn)+i)%n] }
	}
	order := data.Rand(e.seed, streamOrder, position/n).Perm(len(e.tasks))
	return func(i uint64) int { return e.tasks[order[(position+i)%n]] }
}

func (e *episodes) of(task int, position uint64, stream string) (data.Episode, error) {
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
