package evaluate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/model"
	"pacia/ops"
)

// QueryLimit is the number of queries that fit in a device's memory at a time,
// as found by trial. The zero value does not limit it. Several threads may use it.
type QueryLimit struct {
	mu    sync.Mutex
	limit int // 0: no limit
}

// allowed returns how many of n queries may be scored together.
func (l *QueryLimit) allowed(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.limit == 0 {
		return n
	}
	return min(n, l.limit)
}

// refused records that n queries were too many and halves the limit.
func (l *QueryLimit) refused(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.limit == 0 {
		slog.Warn("a whole batch of queries does not fit in the device's memory: batches are smaller from now on", "queries", n)
	}
	if half := max(1, n/2); l.limit == 0 || half < l.limit {
		l.limit = half
	}
}

// score returns the outputs of a model for the rows. If they do not fit in the
// device's memory together, it halves the batches, down to one molecule. Queries
// do not depend on each other, so that the size of a batch changes only the rounding
// of results.
func score(a Adapted, l *QueryLimit, s molecule.List, rows []int32) (all model.Scored, err error) {
	for len(rows) > 0 {
		n := l.allowed(len(rows))
		scored, err := scoreTogether(a, s, rows[:n])
		switch {
		case errors.Is(err, ops.ErrOutOfMemory) && n > 1:
			l.refused(n)
			continue
		case err != nil:
			return nil, Advised(err)
		}
		all, rows = append(all, scored...), rows[n:]
	}
	return all, nil
}

// Advised adds a remedy to the error of a device whose memory does not hold even one molecule.
func Advised(err error) error {
	if errors.Is(err, ops.ErrOutOfMemory) {
		return fmt.Errorf("%w; free the device's memory (nvidia-smi lists who uses it), use a smaller support set, or write device=cpu", err)
	}
	return err
}

func scoreTogether(a Adapted, s molecule.List, rows []int32) (scored model.Scored, err error) {
	b, err := data.AssembleQueries(s, rows)
	if err != nil {
		return scored, err
	}
	scored, err = a.ScoreAll(b)
	if err == nil && len(scored) != len(rows) {
		err = fmt.Errorf("%d scores for %d queries", len(scored), len(rows))
	}
	if err == nil {
		err = ranked(scored)
	}
	return scored, err
}

// ranked returns an error if a probability is not finite. Finite weights can give one
// if they are very large.
func ranked(scored model.Scored) error {
	bad := each.Count(scored, func(s model.Score) bool {
		return math.IsNaN(float64(s.Probability)) || math.IsInf(float64(s.Probability), 0)
	})
	if bad == 0 {
		return nil
	}
	return &badinput.Error{What: fmt.Sprintf("the model gives %d of %d molecules no probability", bad, len(scored)),
		Fix: "its training, or its fine-tuning on the support set, diverged: use another checkpoint, or a lower learning rate"}
}

// A Scorer scores queries of the task that a model was adapted to. Several goroutines
// may use it.
type Scorer struct {
	Adapted
	*Reader
	limit QueryLimit
}

// NewScorer returns a Scorer for a, which is models adapted to a task, that reads molecules by r.
func NewScorer(r *Reader, a Adapted) *Scorer { return &Scorer{Adapted: a, Reader: r} }

// Batch returns the best number of queries of usual size to score together.
func (s *Scorer) Batch() int { return model.QueriesPerBatch(s.Support(), s.Device()) }

// Score returns P(active) of molecules of a store and the depth that was used,
// 1 to L_rel. On the CPU it uses one thread. On a GPU it uses one of the device's lanes,
// and waits if all are in use.
func (s *Scorer) Score(store molecule.List, rows []int32) (probability []float32, depth []int32, err error) {
	all, err := s.ScoreAll(store, rows)
	return all.Probabilities(), all.Depths(), err
}

// ScoreAll is like Score but returns all outputs of the model.
func (s *Scorer) ScoreAll(store molecule.List, rows []int32) (all model.Scored, err error) {
	job := func() error {
		for _, batch := range model.QueryBatches(store, rows, s.Support(), s.Device()) {
			scored, err := score(s.Adapted, &s.limit, store, batch)
			if err != nil {
				return err
			}
			all = append(all, scored...)
		}
		return nil
	}
	err = s.run(job)
	return all, err
}

// run runs a job on one thread of the CPU or in one lane of a GPU.
func (s *Scorer) run(job func() error) error {
	if d := s.Device(); d != ops.CPU {
		return ops.OnLane(context.Background(), d, job)
	}
	return ops.Pinned(1, job)
}
