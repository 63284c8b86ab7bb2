package metrics

import (
	"fmt"
	"slices"
	"strings"

	"pacia/internal/each"
)

// AdaptivityNote explains the figures of an [Adaptivity], in tables and reports.
const AdaptivityNote = "Adaptivity is the figure with a task's own support set less the figure with the labels of that set swapped: " +
	"0 means that the labels change nothing. A model that relies on them falls with swapped labels as far below chance as it was above, " +
	"and to chance with the support set of another task that has nothing to do with this one."

// StaticNote explains the static score.
const StaticNote = "The static score of a molecule is its share of active labels in the training tasks; it needs no model and no support set."

// Adaptivity measures how much a model's figures depend on the support set. It holds the
// figures of one task, as means over its draws, or means over tasks.
type Adaptivity struct {
	Draws   int `json:"draws"`   // support sets, of all tasks
	Queries int `json:"queries"` // ranked queries, summed over the draws
	Known   int `json:"known"`   // queries that have labels in the training tasks

	// The training tasks are not in the data set, so that Known is not known.
	Elsewhere bool `json:"trained_elsewhere,omitempty"`

	Own        Values `json:"own"`        // with the task's support set
	Swapped    Values `json:"swapped"`    // with the labels of that set swapped
	Adaptivity Values `json:"adaptivity"` // Own minus Swapped

	Foreign Values `json:"foreign,omitempty"` // with the support set of another task; nil without one
	Static  Values `json:"static,omitempty"`  // of the static score; nil if tasks share too few molecules

	Depths []int `json:"depths,omitempty"` // number of queries read after each layer; nil for methods without depths
}

// MeanAdaptivity returns the mean over draws or tasks, or nil without any. Foreign and
// Static are means over the elements that have them.
func MeanAdaptivity(all []*Adaptivity) *Adaptivity {
	all = slices.DeleteFunc(slices.Clone(all), func(a *Adaptivity) bool { return a == nil })
	if len(all) == 0 {
		return nil
	}
	mean := &Adaptivity{}
	for _, a := range all {
		n := 1 / float64(len(all))
		mean.Own, mean.Swapped = mean.Own.Plus(n, a.Own), mean.Swapped.Plus(n, a.Swapped)
		mean.Draws, mean.Queries, mean.Known = mean.Draws+a.Draws, mean.Queries+a.Queries, mean.Known+a.Known
		mean.Elsewhere = mean.Elsewhere || a.Elsewhere
		for l, count := range a.Depths {
			if l == len(mean.Depths) {
				mean.Depths = append(mean.Depths, 0)
			}
			mean.Depths[l] += count
		}
	}
	mean.Adaptivity = mean.Own.Plus(-1, mean.Swapped)
	mean.Foreign = meanOf(all, func(a *Adaptivity) Values { return a.Foreign })
	mean.Static = meanOf(all, func(a *Adaptivity) Values { return a.Static })
	return mean
}

// meanOf returns the mean over the elements that have the values, or nil.
func meanOf(all []*Adaptivity, values func(*Adaptivity) Values) (sum Values) {
	n := 0.0
	for _, a := range all {
		if v := values(a); v != nil {
			sum, n = sum.Plus(1, v), n+1
		}
	}
	if sum == nil {
		return nil
	}
	return Values(nil).Plus(1/n, sum)
}

// MeanAdaptivityOf returns the mean over tasks, or nil if it was not measured.
func MeanAdaptivityOf(tasks []Figures) *Adaptivity {
	all := each.Of(tasks, func(t Figures) *Adaptivity { return t.Adaptivity })
	return MeanAdaptivity(all)
}

// KnownText returns a sentence on the share of queries that are molecules of the training tasks.
func (a *Adaptivity) KnownText() string {
	if a.Elsewhere {
		return "the model was trained on another file: how many of the queries it knows from there is not known"
	}
	share := 100 * float64(a.Known) / float64(a.Queries)
	if a.Known == 0 {
		share = 0 // also without queries, where it would be 0/0
	}
	return fmt.Sprintf("%.0f %% of the queries are molecules of the training tasks", share)
}

// collapsed is the smallest share of queries at one depth with which the depth does not count
// as chosen.
const collapsed = 0.99

// DepthText describes the depths at which queries are read. If nearly all are read at one
// depth, it states that the depth is not chosen. It is empty without depths.
func (a *Adaptivity) DepthText() string {
	if a == nil {
		return ""
	}
	all := 0
	for _, n := range a.Depths {
		all += n
	}
	if all == 0 {
		return ""
	}
	parts := make([]string, len(a.Depths))
	for l, n := range a.Depths {
		share := float64(n) / float64(all)
		parts[l] = fmt.Sprintf("%.0f %% at %d", 100*share, l+1)
		if share >= collapsed {
			return "depth is not chosen: " + parts[l]
		}
	}
	return "depths: " + strings.Join(parts, ", ")
}
