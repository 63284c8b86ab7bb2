package train

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"pacia/metrics"
	"pacia/run/rundir"
)

func summarise(all []*replica) rundir.ReplicaSummary {
	first := all[0].summary
	s := rundir.ReplicaSummary{
		Dataset: first.Dataset, Shots: first.Shots, Episodes: first.Episodes,
		BestOnTestNote: first.BestOnTestNote, Selection: first.Selection, Metric: first.Metric,
	}
	// A figure that some runs did not measure has no mean. With train.test_every=last, the last
	// model is measured only if it was selected.
	figure := func(of func(rundir.Summary) *float64) *rundir.Spread {
		values := make([]float64, len(all))
		for i, r := range all {
			v := of(r.summary)
			if v == nil {
				return nil
			}
			values[i] = *v
		}
		v := spread(values)
		return &v
	}
	figures := func(of func(rundir.Summary) metrics.Values) (found []*rundir.Spread) {
		for i, name := range metrics.Names() {
			if v := figure(func(s rundir.Summary) *float64 { return of(s).Find(name) }); v != nil {
				found = append(found, make([]*rundir.Spread, i+1-len(found))...)
				found[i] = v
			}
		}
		return found
	}
	s.Last = figures(func(s rundir.Summary) metrics.Values { return s.Last })
	s.ValidationSelected = figures(func(s rundir.Summary) metrics.Values { return s.ValidationSelected })
	s.BestOnTest = figures(func(s rundir.Summary) metrics.Values { return s.BestOnTest })
	control := func(of func(*metrics.Adaptivity) metrics.Values) *rundir.Spread {
		return figure(func(s rundir.Summary) *float64 {
			if s.Adaptivity == nil {
				return nil
			}
			return of(s.Adaptivity).Find(s.Metric)
		})
	}
	s.Adaptivity = control(func(a *metrics.Adaptivity) metrics.Values { return a.Adaptivity })
	s.Swapped = control(func(a *metrics.Adaptivity) metrics.Values { return a.Swapped })
	s.Foreign = control(func(a *metrics.Adaptivity) metrics.Values { return a.Foreign })
	s.Static = control(func(a *metrics.Adaptivity) metrics.Values { return a.Static })
	for _, r := range all {
		s.Seeds = append(s.Seeds, r.summary.Seed)
		s.Seconds += r.summary.Seconds
	}
	return s
}

func spread(values []float64) rundir.Spread {
	s := rundir.Spread{Values: values}
	n := float64(len(values))
	for _, v := range values {
		s.Mean += v / n
	}
	var squares float64
	for _, v := range values {
		squares += (v - s.Mean) * (v - s.Mean)
	}
	s.StandardDeviation = math.Sqrt(squares / (n - 1))
	return s
}

// ReplicaError reports which replicas have failed. It wraps their errors.
type ReplicaError struct {
	Replicas int      // replicas in all
	Seeds    []uint64 // of those that failed
	Errs     []error  // one per seed
}

// Error returns one line.
func (e *ReplicaError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d replicas failed", len(e.Seeds), e.Replicas)
	for i, err := range e.Errs {
		line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
		fmt.Fprintf(&b, "; seed %d: %s", e.Seeds[i], line)
	}
	return b.String()
}

// Unwrap returns the errors of the replicas.
func (e *ReplicaError) Unwrap() []error { return e.Errs }

// failures returns why replicas cannot be summarised: a *ReplicaError if some have
// failed, an ErrStopped if some were stopped, or nil.
func failures(all []*replica) error {
	failed, finished := &ReplicaError{Replicas: len(all)}, 0
	for _, r := range all {
		switch {
		case r.err == nil:
			finished++
		case !errors.Is(r.err, ErrStopped):
			failed.Seeds, failed.Errs = append(failed.Seeds, r.cfg.Seed), append(failed.Errs, r.err)
		}
	}
	switch {
	case len(failed.Errs) > 0:
		return failed
	case finished < len(all):
		return fmt.Errorf("%w: %d of %d replicas have finished, what the others did is saved; --resume continues", ErrStopped, finished, len(all))
	}
	return nil
}
