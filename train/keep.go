package train

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"pacia/durable"
)

// evaluate measures the model and finds out whether it is the best so far.
func (r *run) evaluate(ctx context.Context) error {
	begun := time.Now()
	o := evalOptions(r.cfg, r.progress.Episode)
	o.limit = &r.limit
	test, n, err := evaluate(ctx, r.learner.Adapt, r.data, r.tasks.test, o)
	if err != nil {
		return fmt.Errorf("episode %d: %w", r.progress.Episode, err)
	}
	info := EvalInfo{Episode: r.progress.Episode, AUCTest: mean(test), Test: test, Queries: n}
	if len(r.tasks.validation) > 0 {
		if info.Validation, n, err = evaluate(ctx, r.learner.Adapt, r.data, r.tasks.validation, o); err != nil {
			return fmt.Errorf("episode %d: %w", r.progress.Episode, err)
		}
		auc := mean(info.Validation)
		info.AUCValidation, info.Queries = &auc, info.Queries+n
	}
	info.Seconds = time.Since(begun).Seconds()
	r.unsaved = true
	if r.progress.take(info, r.cfg.Train.Selection) {
		r.best = true
	}
	r.rep.Evaluation(info)
	return r.log.add(info)
}

func evalOptions(c RunConfig, episode int) EvalOptions {
	return EvalOptions{Seed: c.Seed, Number: uint64(episode), Shots: c.Episode.Shots, ShuffleLabels: c.Train.ShuffleLabels}
}

func mean(aucs []TaskAUC) float64 {
	var sum float64
	for _, a := range aucs {
		sum += a.AUC
	}
	return sum / float64(len(aucs))
}

// finish writes the summary.
func (r *run) finish(info StartInfo) (Summary, error) {
	s := r.progress.summary(r.cfg)
	s.Dataset, s.Adaptive, s.Parameters = info.Dataset, info.Adaptive, map[string]int{}
	for _, part := range info.Parameters {
		s.Parameters[part.Part] = part.Count
		s.Total += part.Count
	}
	if err := durable.WriteJSON(filepath.Join(r.dir, summaryFile), s); err != nil {
		return Summary{}, err
	}
	r.rep.Done(s)
	return s, nil
}

// meta describes the run as it stands.
func (r *run) meta() Meta {
	r.progress.Seconds = (r.before + time.Since(r.begun)).Seconds()
	return Meta{
		Config: r.cfg, Dataset: r.data.Name, DataHash: r.data.Hash, Tasks: r.taskNames(),
		Progress: r.progress, AdamSteps: r.learner.Steps(),
	}
}

func (r *run) taskNames() TaskNames {
	names := func(numbers []int) []string {
		list := make([]string, len(numbers))
		for i, n := range numbers {
			list[i] = r.data.Tasks[n].Name
		}
		return list
	}
	return TaskNames{names(r.tasks.train), names(r.tasks.validation), names(r.tasks.test)}
}
