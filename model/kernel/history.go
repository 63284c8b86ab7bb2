package kernel

import (
	"cmp"
	"math"
	"slices"

	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/model/shared/remembered"
)

// Legend: n molecules of past assays, A past assays.

// A user's past assays count like training tasks: the kernel of two molecules has a further term, the cosine of their labels
// there, and the expectation for a molecule a further one, the mean of its labels there. Chosen on ToxCast, with the other
// assays as the past of 60 (docs/history.md).
const (
	pastWeight   = 2.0
	expectedPast = 1.0
)

// history holds labels of molecules in past assays. Nil has none.
type history struct {
	rows  *table
	tasks int // A
}

// Recall returns the method with past assays.
func (k *kernel) Recall(past []model.Past) (model.Method, error) {
	var all []remembered.Label
	tasks := int32(0)
	for _, p := range past {
		labels, err := remembered.Gather(p.Data, p.Tasks)
		if err != nil {
			return nil, err
		}
		for _, l := range labels {
			l.Task += tasks
			all = append(all, l)
		}
		tasks += int32(len(p.Tasks))
	}
	slices.SortStableFunc(all, func(a, b remembered.Label) int { return cmp.Compare(a.Key, b.Key) })
	recalled := *k
	recalled.past = &history{tableOf(all, int(tasks)), int(tasks)}
	return &recalled, nil
}

// tableOf returns the table of labels in the order of their keys, of tasks.
func tableOf(all []remembered.Label, tasks int) *table {
	of, actives := make([]sums, tasks), make([]float64, tasks)
	for _, l := range all {
		_, value := valueOf(l.Stored())
		of[l.Task].add(value)
		actives[l.Task] += float64(l.On)
	}
	scales := make([]scale, tasks)
	for t, s := range of {
		scales[t] = s.scale(actives[t] / math.Max(1, s[0]))
	}
	rows := &table{ends: []int32{0}}
	var labels []float64
	for i, l := range all {
		labels = append(labels, l.Stored())
		if i+1 == len(all) || all[i+1].Key != l.Key {
			rows.add(l.Key, labels, scales)
			labels = labels[:0]
		}
	}
	return rows
}

func (h *history) of(v counts.Vector) row {
	if h == nil {
		return row{}
	}
	return h.rows.of(v)
}

func (h *history) profile(known []row) profile {
	if h == nil {
		return profile{}
	}
	return profileOf(known, h.tasks)
}
