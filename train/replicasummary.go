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
		AUCBestOnTestNote: first.AUCBestOnTestNote, Selection: first.Selection, Metric: first.Metric,
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
	// A ROC-AUC that was not measured is 0.
	auc := func(of func(rundir.Summary) (auc float64, delta *float64)) (all rundir.Spread) {
		found := figure(func(s rundir.Summary) *float64 {
			v, delta := of(s)
			if delta == nil && v == 0 {
				return nil
			}
			return &v
		})
		if found != nil {
			all = *found
		}
		return all
	}
	s.AUCLast = auc(func(s rundir.Summary) (float64, *float64) { return s.AUCLast, s.DeltaLast })
	s.AUCBestOnTest = auc(func(s rundir.Summary) (float64, *float64) { return s.AUCBestOnTest, s.DeltaBestOnTest })
	s.AUCValidationSelected = figure(func(s rundir.Summary) *float64 { return s.AUCValidationSelected })
	s.DeltaLast = figure(func(s rundir.Summary) *float64 { return s.DeltaLast })
	s.DeltaValidationSelected = figure(func(s rundir.Summary) *float64 { return s.DeltaValidationSelected })
	s.DeltaBestOnTest = figure(func(s rundir.Summary) *float64 { return s.DeltaBestOnTest })
	pair := func(of func(*metrics.Adaptivity) *metrics.Pair) *rundir.Spread {
		return figure(func(s rundir.Summary) *float64 {
			if s.Adaptivity == nil || of(s.Adaptivity) == nil {
				return nil
			}
			v := of(s.Adaptivity).Of(s.Metric)
			return &v
		})
	}
	s.Adaptivity = pair(func(a *metrics.Adaptivity) *metrics.Pair { return &a.Adaptivity })
	s.Swapped = pair(func(a *metrics.Adaptivity) *metrics.Pair { return &a.Swapped })
	s.Foreign = pair(func(a *metrics.Adaptivity) *metrics.Pair { return a.Foreign })
	s.Static = pair(func(a *metrics.Adaptivity) *metrics.Pair { return a.Static })
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
	Of    int      // replicas in all
	Seeds []uint64 // of those that failed
	Errs  []error  // one per seed
}

// Error returns one line.
func (e *ReplicaError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d replicas failed", len(e.Seeds), e.Of)
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
	failed, finished := &ReplicaError{Of: len(all)}, 0
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
