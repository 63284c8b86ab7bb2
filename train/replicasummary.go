package train

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// ReplicaSummary is what replicas leave in summary.json beside their folders.
// Its figures are those of their own summaries, by the same names.
type ReplicaSummary struct {
	Dataset  string   `json:"dataset"`
	Seeds    []uint64 `json:"seeds"`
	Shots    int      `json:"shots"`
	Episodes int      `json:"episodes"`

	Metric string `json:"metric"`

	AUCLast               Spread  `json:"auc_last,omitzero"`
	AUCValidationSelected *Spread `json:"auc_validation_selected"` // nil where no tasks were held out
	AUCBestOnTest         Spread  `json:"auc_best_on_test,omitzero"`
	AUCBestOnTestNote     string  `json:"auc_best_on_test_note"`

	DeltaLast               *Spread `json:"delta_auprc_last,omitempty"`
	DeltaValidationSelected *Spread `json:"delta_auprc_validation_selected,omitempty"`
	DeltaBestOnTest         *Spread `json:"delta_auprc_best_on_test,omitempty"`

	Selection string  `json:"selection"`
	Seconds   float64 `json:"seconds"` // of all runs together, which went on side by side
}

// Spread is a figure over replicas.
type Spread struct {
	Mean              float64   `json:"mean"`
	StandardDeviation float64   `json:"standard_deviation"` // of the sample: over n-1
	Values            []float64 `json:"values"`             // in the order of the seeds
}

// summarise takes two or more replicas together, all of them finished.
func summarise(all []*replica) ReplicaSummary {
	first := all[0].summary
	s := ReplicaSummary{
		Dataset: first.Dataset, Shots: first.Shots, Episodes: first.Episodes,
		AUCBestOnTestNote: first.AUCBestOnTestNote, Selection: first.Selection, Metric: first.Metric,
	}
	// A figure that a run did not measure, no other one did by these settings.
	figure := func(of func(Summary) *float64) *Spread {
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
	if first.DeltaLast != nil || first.AUCLast != 0 {
		s.AUCLast = *figure(func(s Summary) *float64 { return &s.AUCLast })
	}
	if first.DeltaBestOnTest != nil || first.AUCBestOnTest != 0 {
		s.AUCBestOnTest = *figure(func(s Summary) *float64 { return &s.AUCBestOnTest })
	}
	s.AUCValidationSelected = figure(func(s Summary) *float64 { return s.AUCValidationSelected })
	s.DeltaLast = figure(func(s Summary) *float64 { return s.DeltaLast })
	s.DeltaValidationSelected = figure(func(s Summary) *float64 { return s.DeltaValidationSelected })
	s.DeltaBestOnTest = figure(func(s Summary) *float64 { return s.DeltaBestOnTest })
	for _, r := range all {
		s.Seeds = append(s.Seeds, r.summary.Seed)
		s.Seconds += r.summary.Seconds
	}
	return s
}

func spread(values []float64) Spread {
	s := Spread{Values: values}
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

// ReplicaError says which replicas have failed. It wraps the errors of all of
// them.
type ReplicaError struct {
	Of    int      // replicas in all
	Seeds []uint64 // of those that failed
	Errs  []error  // one a seed
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

// failures returns what keeps replicas from being summarised: a *ReplicaError
// where some have failed, an ErrStopped where they were asked to leave.
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
