package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/methods"
	"pacia/report"
	"pacia/report/scores"
	"pacia/report/study"
	"pacia/run/checkpoint"
	"pacia/run/rundir"
)

// Limits that keep a report to seconds: queries in the figures of the study, and
// molecules that are scored at each depth.
const (
	studied  = 200
	readings = 20_000
)

// check refuses a missing run or task before anything is measured.
func (o reportOptions) check(r *report.Report) error {
	if o.study == "" && o.task == "" {
		return nil
	}
	for _, flag := range []struct{ name, value string }{{"--study", o.study}, {"--task", o.task}} {
		if o.plain && flag.value != "" {
			return &badinput.Error{What: flag.name + " and --no-scores exclude each other", Fix: "leave one of them out"}
		}
	}
	run, err := r.Studied(o.study)
	if err != nil {
		return err
	}
	best := filepath.Join(run.Dir, rundir.BestFile)
	if _, err := os.Stat(best); errors.Is(err, fs.ErrNotExist) {
		return &badinput.Error{File: best, What: "the run has no best model any more", Fix: "name another run with --study"}
	}
	names := each.Of(run.Summary.PerTask, func(t rundir.TaskSummary) string { return t.Task })
	if o.task != "" && !slices.Contains(names, o.task) {
		return study.UnknownTask(o.task, names)
	}
	return nil
}

// measures returns the functions that measure runs again, with their best models.
func (o reportOptions) measures(ctx context.Context, c *cobra.Command) report.Measures {
	if o.plain {
		return report.Measures{}
	}
	best := func(run rundir.Run, doing string, use func(*model.Model, checkpoint.Meta) error) error {
		file := filepath.Join(run.Dir, rundir.BestFile)
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return scores.Unfit{Err: &badinput.Error{File: file, What: "the run has no best model any more"}}
		}
		ui.Say(c.ErrOrStderr(), "%s %s\n", doing, file)
		settings := o.settings
		if methods.Traits(run.Settings.Get("model.method")).Tunes {
			// Gradient steps amplify differences in rounding, which depends on the number of threads.
			settings.Set = append([]string{"threads=" + run.Settings.Get("threads")}, settings.Set...)
		}
		return withModel(file, settings, func(m *model.Model, meta checkpoint.Meta, cfg config.Config) error {
			meta.Config = cfg // with --set data.path, if the file has moved
			return use(m, meta)
		})
	}
	return report.Measures{
		Run: o.study, Required: o.study != "" || o.task != "",
		Scores: func(run rundir.Run, recorded []metrics.Figures) (tasks []scores.Task, err error) {
			err = best(run, "measuring", func(m *model.Model, meta checkpoint.Meta) (err error) {
				tasks, err = scores.TestTasks(ctx, m, meta, recorded)
				return err
			})
			return tasks, err
		},
		Study: func(run rundir.Run, tasks []scores.Task) (s *study.Study, groups *study.Groups, err error) {
			err = best(run, "looking into", func(m *model.Model, meta checkpoint.Meta) error {
				if s, err = study.New(ctx, m, meta, study.Options{Task: o.task, Queries: studied}); err != nil || tasks == nil {
					return err
				}
				groups, err = study.ReadGroups(ctx, m, meta, tasks, readings)
				return err
			})
			return s, groups, err
		},
	}
}
