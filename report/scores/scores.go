// Package scores computes values that a run's folder does not contain: the scores and depths that
// its best model assigns to the query molecules of the test tasks.
package scores

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"pacia/data"
	"pacia/data/split"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/metrics"
	"pacia/model"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
)

// A Task holds the queries of one test task, from the smallest molecule to the
// largest.
type Task struct {
	Name   string
	Rows   []int32 // of the data set's store
	Labels []uint8
	Scores []float32 // P(active)
	Order  []float64 // see [evaluate.Order]
	Depths []int32   // 1 to L_rel

	Adapting time.Duration // to the support set
	Ranking  time.Duration // of all queries
}

// Unfit is the error of a run that cannot be measured again because of what it is: a control, or a model that does not
// reach its recorded figures. No other command would mend it.
type Unfit struct{ Err error }

func (u Unfit) Error() string { return u.Err.Error() }

// Unwrap returns u.Err.
func (u Unfit) Unwrap() error { return u.Err }

// A Source is the data of a run, with the support sets of the evaluation that
// chose its best model.
type Source struct {
	Data *data.Dataset
	From runconfig.Data // with the path at which Data was opened
	Test []int          // indices of the test tasks
	meta checkpoint.Meta
}

// Open opens the data of the run that a model comes from.
func Open(ctx context.Context, meta checkpoint.Meta) (*Source, error) {
	c := meta.Config
	if c.Train.ShuffleLabels {
		return nil, Unfit{badinput.Newf("the run is a control with shuffled labels")}
	}
	ds, err := evaluate.OpenData(ctx, c)
	if err != nil {
		return nil, err
	}
	s := &Source{Data: ds, From: c.Data, meta: meta}
	split, err := split.Parse(c.Data.Split, ds)
	if err == nil {
		s.From.Path, err = c.Data.Location()
	}
	if err == nil && ds.Hash != meta.DataHash {
		err = &badinput.Error{File: s.From.Path, What: "is not the file that the run was trained on",
			Fix: "write --set data.path=FILE where that has moved"}
	}
	if err != nil {
		return nil, errors.Join(err, ds.Close())
	}
	s.Test = split.Test
	return s, nil
}

// Close closes the data.
func (s *Source) Close() error { return s.Data.Close() }

// Draw draws the support set of a test task; the other molecules of the task are queries. If an evaluation
// draws several support sets, it returns the first one for which the task is large enough. If there is none, the
// error wraps data.ErrTooSmall.
func (s *Source) Draw(number int) (ep data.Episode, err error) {
	o := evaluate.OptionsOf(s.meta.Config, uint64(s.meta.Episode()))
	for k := range max(1, o.Draws) {
		if ep, err = o.Draw(s.Data, number, k); !errors.Is(err, data.ErrTooSmall) {
			break
		}
	}
	return ep, err
}

// TestTasks scores the test tasks of the run that a model comes from, with the support
// sets of the evaluation that chose it. Recorded are the ROC-AUCs of that
// evaluation; it may be empty. If the model does not reproduce them, the program has changed, and
// TestTasks returns an error. With several draws of a task they are means, and are not compared.
// Tasks that are too small for a support set are left out. It must be called from within ops.Pinned.
func TestTasks(ctx context.Context, m *model.Model, meta checkpoint.Meta, recorded []metrics.Figures) (all []Task, err error) {
	s, err := Open(ctx, meta)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for _, number := range s.Test {
		t, err := ofTask(ctx, m, s, number)
		if errors.Is(err, data.ErrTooSmall) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("task %s: %w", s.Data.Tasks[number].Name, err)
		}
		all = append(all, t)
	}
	if meta.Config.Train.EvaluationDraws > 1 || len(recorded) == 0 {
		return all, nil
	}
	if err := agree(all, recorded, m.Traits().Tunes); err != nil {
		return nil, Unfit{err}
	}
	return all, nil
}

func ofTask(ctx context.Context, m *model.Model, s *Source, number int) (Task, error) {
	ds := s.Data
	ep, err := s.Draw(number)
	if err != nil {
		return Task{}, err
	}
	var adapting time.Duration
	adapt := evaluate.Timed(evaluate.AdapterOf(m), func(took time.Duration) { adapting = took })
	begun := time.Now()
	r, err := evaluate.RankEpisode(ctx, adapt, ds.Store, ep, new(evaluate.QueryLimit))
	return Task{
		Name: ds.Tasks[number].Name, Rows: r.Rows, Labels: r.Labels, Scores: r.Scores, Order: r.Order, Depths: r.Depths,
		Adapting: adapting, Ranking: time.Since(begun) - adapting,
	}, err
}

// agree returns an error if the ROC-AUCs of tasks differ from those that the run recorded. Batches of other
// sizes, and another processor, change scores by rounding, which may swap
// neighbours in the ranking. The gradient steps of a method that tunes amplify
// these differences.
func agree(all []Task, recorded []metrics.Figures, tunes bool) error {
	rounding := 0.002
	if tunes {
		rounding = 0.02
	}
	if len(recorded) != len(all) {
		return badinput.Newf("the run was evaluated on %d test tasks, the data have %d", len(recorded), len(all))
	}
	for i, t := range all {
		auc, want := metrics.ROCAUC(t.Labels, t.Scores), recorded[i].Value(metrics.NameROCAUC)
		if t.Order != nil && !(math.Abs(auc-want) <= rounding) {
			auc = metrics.ROCAUC(t.Labels, t.Order) // earlier versions ranked by rounded probabilities
		}
		if t.Name != recorded[i].Task || !(math.Abs(auc-want) <= rounding) {
			f := &badinput.Error{What: fmt.Sprintf("the best model reaches a ROC-AUC of %.4f on %s, the run has %.4f of %s on record", auc, t.Name, want, recorded[i].Task),
				Fix: "use the program that trained it"}
			if mostlyEqual(t.Scores) {
				f.What += "; its scores hardly differ, so that rounding decides their order"
				f.Fix = "train it for longer"
			}
			return f
		}
	}
	return nil
}

// mostlyEqual reports whether half of the scores are within 1e-5 of each
// other, as for a model that has not learnt to distinguish molecules.
func mostlyEqual(scores []float32) bool {
	sorted := slices.Sorted(slices.Values(scores))
	n := len(sorted)
	return n > 0 && sorted[n*3/4]-sorted[n/4] < 1e-5
}
