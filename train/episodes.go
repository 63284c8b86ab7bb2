package train

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"pacia/data"
)

// Every random choice of a run is a pure function of the seed, the name of a
// stream and a number, so that a resumed run needs no generator's state.
const (
	streamOrder      = "order of tasks"   // by pass over the training tasks
	streamEpisode    = "training episode" // by position in the sequence of training tasks
	streamShuffle    = "shuffled labels"  // likewise
	streamDropout    = "dropout"          // by optimisation step
	streamEvaluation = "evaluation of "   // + the task's name; by the evaluation's number
)

// episodes draws the training episodes of a run.
type episodes struct {
	data          *data.Dataset
	seed          uint64
	tasks         []int // numbers of the training tasks
	perStep       int   // B
	rule          data.Draw
	queries       int // M; 0: all others
	shuffleLabels bool
}

// step is what one optimisation step needs, in host memory.
type step struct {
	Episode int // 1 for the first step
	Tasks   []data.Episode
	Batch   *data.Batch
	Dropout uint64 // the key of its dropout masks
}

// draw returns the given step, counted from 1.
func (e *episodes) draw(number int) (step, error) {
	s := step{
		Episode: number,
		Tasks:   make([]data.Episode, e.perStep),
		Dropout: data.Rand(e.seed, streamDropout, uint64(number)).Uint64(),
	}
	for i := range s.Tasks {
		position := uint64(number-1)*uint64(e.perStep) + uint64(i)
		var err error
		if s.Tasks[i], err = e.at(position); err != nil {
			return step{}, fmt.Errorf("episode %d: %w", number, err)
		}
	}
	var err error
	if s.Batch, err = data.Assemble(e.data.Store, s.Tasks); err != nil {
		return step{}, fmt.Errorf("episode %d: %w", number, err)
	}
	return s, nil
}

// at returns the episode at a position of the endless sequence of training
// tasks: the tasks in a shuffled order, then in another one, and so on. Where a
// task does not hold the draw, the next one of the order takes its place.
func (e *episodes) at(position uint64) (ep data.Episode, err error) {
	n := uint64(len(e.tasks))
	order := data.Rand(e.seed, streamOrder, position/n).Perm(len(e.tasks))
	for i := range n {
		ep, err = e.of(e.tasks[order[(position+i)%n]], position)
		if !errors.Is(err, data.ErrTooSmall) {
			break
		}
	}
	return ep, err
}

// of draws an episode of one task.
func (e *episodes) of(task int, position uint64) (data.Episode, error) {
	t, r := &e.data.Tasks[task], data.Rand(e.seed, streamEpisode, position)
	ep, err := e.rule.Training(t, task, e.queries, r)
	if err == nil && e.shuffleLabels {
		shuffleSupport(ep, data.Rand(e.seed, streamShuffle, position))
	}
	return ep, err
}

// shuffleSupport takes the meaning from a support set's labels. The molecules
// change places and the labels stay: inactive first, then active.
func shuffleSupport(ep data.Episode, r *rand.Rand) {
	r.Shuffle(len(ep.Support), func(i, j int) {
		ep.Support[i], ep.Support[j] = ep.Support[j], ep.Support[i]
	})
}
