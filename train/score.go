package train

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"pacia/data"
	"pacia/model"
	"pacia/ops"
)

// queryLimit is how many queries a device's memory takes at a time, as far as
// that has been found out. Its zero value knows of no limit. Several threads
// may use it.
type queryLimit struct {
	mu   sync.Mutex
	most int // 0: no limit
}

// of returns how many of n queries may be scored together.
func (l *queryLimit) of(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.most == 0 {
		return n
	}
	return min(n, l.most)
}

// refused takes note that n queries were too many.
func (l *queryLimit) refused(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.most == 0 {
		slog.Warn("the device's memory does not take a whole batch of queries: smaller ones from now on", "queries", n)
	}
	if half := max(1, n/2); l.most == 0 || half < l.most {
		l.most = half
	}
}

// score returns P(active) of the rows and the depth that was used. Where the
// device's memory does not take them together, it halves the batches, down to
// one molecule. Queries do not depend on each other, so that a batch's size
// changes results no more than rounding does.
func score(a adapted, l *queryLimit, s data.Molecules, rows []int32) (probability []float32, depth []int32, err error) {
	for len(rows) > 0 {
		n := l.of(len(rows))
		p, d, err := scoreTogether(a, s, rows[:n])
		switch {
		case errors.Is(err, ops.ErrOutOfMemory) && n > 1:
			l.refused(n)
			continue
		case err != nil:
			return nil, nil, advised(err)
		}
		probability, depth, rows = append(probability, p...), append(depth, d...), rows[n:]
	}
	return probability, depth, nil
}

// advised says what to do where not even one molecule fits.
func advised(err error) error {
	if errors.Is(err, ops.ErrOutOfMemory) {
		return fmt.Errorf("%w; free the device's memory (nvidia-smi lists who uses it), use a smaller support set, or write device=cpu", err)
	}
	return err
}

func scoreTogether(a adapted, s data.Molecules, rows []int32) (probability []float32, depth []int32, err error) {
	b, err := data.AssembleQueries(s, rows)
	if err != nil {
		return nil, nil, err
	}
	a.Prepare(b)
	probability, depth, err = a.Score(b)
	if err == nil && len(probability) != len(rows) {
		err = fmt.Errorf("%d scores for %d queries", len(probability), len(rows))
	}
	return probability, depth, err
}

// rank returns P(active) of the rows; support is the size of the support set.
func rank(ctx context.Context, a adapted, l *queryLimit, s data.Molecules, rows []int32, support int) ([]float32, error) {
	batches := model.QueryBatches(s, rows, support, a.Device())
	scores := make([][]float32, len(batches))
	err := shared(ctx, a.Device(), len(batches), func(i int) (err error) {
		scores[i], _, err = score(a, l, s, batches[i])
		return err
	})
	return slices.Concat(scores...), err
}

// A Scorer scores queries of the task that a model was adapted to, for several
// goroutines.
type Scorer struct {
	adapted
	config  model.Config
	support int
	limit   queryLimit
	places  chan struct{} // on a GPU: one for each that scores
}

// NewScorer returns one for the task that a is of.
func NewScorer(m *model.Model, a *model.Adapted) *Scorer {
	s := &Scorer{adapted: a, config: m.Config(), support: a.Support()}
	if m.Device() != ops.CPU {
		s.places = make(chan struct{}, gpuLanes)
	}
	return s
}

// Parse parses molecules as ParseSMILES does, for the scorer's model.
func (s *Scorer) Parse(smiles []string, threads int) (m data.Molecules, index []int32, errs []error) {
	return ParseSMILES(s.config, smiles, threads)
}

// Score returns P(active) of molecules of a store and the depth that was used,
// 1 to L_rel. On the CPU it uses one thread. On a GPU others wait while two
// are under way.
func (s *Scorer) Score(store data.Molecules, rows []int32) (probability []float32, depth []int32, err error) {
	if s.places != nil {
		s.places <- struct{}{}
		defer func() { <-s.places }()
	}
	err = Pinned(1, func() error {
		for _, batch := range model.QueryBatches(store, rows, s.support, s.Device()) {
			p, d, err := score(s.adapted, &s.limit, store, batch)
			if err != nil {
				return err
			}
			probability, depth = append(probability, p...), append(depth, d...)
		}
		return nil
	})
	return probability, depth, err
}
