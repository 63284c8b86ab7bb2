package main

import (
	"context"
	"time"

	"pacia/config"
	"pacia/data"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/methods"
)

// afterTuning holds the figures of a model after a number of gradient steps on the
// support set of each task.
type afterTuning struct {
	Steps        int     `json:"steps"`
	AUC          float64 `json:"auc_test"`
	AdaptSeconds float64 `json:"adapt_seconds"` // median over the tasks
}

// tuningsOf checks the numbers of --finetune-steps.
func tuningsOf(cfg config.Config, steps []int) ([]model.Tuning, error) {
	if len(steps) > 0 && !methods.Traits(cfg.Model.Method).Tunes {
		return nil, &badinput.Error{What: "--finetune-steps: the model is of model.method=" + cfg.Model.Method + ", which makes no gradient steps on a support set", Fix: "leave it out"}
	}
	var all []model.Tuning
	for _, n := range steps {
		cfg.Train.FineTune.Steps = n
		if err := cfg.Validate(); err != nil {
			return nil, &badinput.Error{What: "--finetune-steps", Err: err}
		}
		all = append(all, cfg.Train.FineTune)
	}
	return all, nil
}

// afterTunings evaluates the model with each tuning, on the same support sets.
func afterTunings(ctx context.Context, m *model.Model, d *data.Dataset, tasks []int, o evaluate.Options, tunings []model.Tuning) ([]afterTuning, error) {
	var all []afterTuning
	for _, tuning := range tunings {
		m.Tune(tuning)
		times := adaptTimes{}
		test, _, err := evaluate.Tasks(ctx, evaluate.Timed(evaluate.AdapterOf(m), times.add), d, tasks, o)
		if err != nil {
			return nil, err
		}
		all = append(all, afterTuning{tuning.Steps, metrics.Mean(test).Value(metrics.NameROCAUC), times.median()})
	}
	return all, nil
}

// adaptTimes records the times of adapting to tasks, in seconds.
type adaptTimes struct{ seconds []float64 }

func (a *adaptTimes) add(d time.Duration) { a.seconds = append(a.seconds, d.Seconds()) }

func (a *adaptTimes) median() float64 { return median(a.seconds) }
