package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/fault"
	"pacia/model"
	tables "pacia/report" // report is that of a run under way
	"pacia/report/rundir"
	"pacia/report/scores"
	"pacia/train"
)

func newReportRuns() *cobra.Command {
	var o config.Options
	var dir string
	var skip, plain bool
	c := &cobra.Command{
		Use:   "report RUN…",
		Short: "Make tables and figures of finished runs, beside what was published",
		Long: `Make tables and figures of finished runs, beside what was published.

A RUN is a folder that pacia train made, of one run or of replicas, or that of a
sweep. Runs that differ in nothing but the seed are taken together: mean,
standard deviation and 95 % interval, for each way to choose the model. Runs of
other data sets or numbers of shots go to tables of their own.

--out gets report.html, which needs nothing beside it, report.md, runs.csv,
results.csv, tasks.csv and figures/ with SVG and PNG. For the curves and depths
the best model of each configuration's first seed is measured again.`,
		Example: `  pacia report runs/tox21-ten --out report
  pacia report runs/sider runs/embedded-0 --skip-unfinished --out report`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return nil
			}
			return &fault.Error{What: c.CommandPath() + " needs folders of runs", Fix: "write pacia report RUN… --out FOLDER"}
		},
		RunE: func(c *cobra.Command, args []string) error {
			if dir == "" {
				return &fault.Error{What: c.CommandPath() + " needs --out", Fix: "write --out FOLDER: it gets the report"}
			}
			return reportRuns(c, args, dir, o, skip, plain)
		},
	}
	addSet(c, &o)
	c.Flags().StringVar(&dir, "out", "", "`FOLDER` of the report")
	c.Flags().BoolVar(&skip, "skip-unfinished", false, "leave out runs that have not finished, and list them")
	c.Flags().BoolVar(&plain, "no-scores", false, "leave out the figures for which models are measured again")
	return c
}

func reportRuns(c *cobra.Command, runs []string, dir string, o config.Options, skip, plain bool) error {
	r, err := tables.Read(runs, skip)
	if err != nil {
		return err
	}
	ctx, done := untilInterrupted(c.Context())
	defer done()
	measure := func(run rundir.Run, recorded []train.TaskAUC) (tasks []scores.Task, err error) {
		say(c.ErrOrStderr(), "measuring %s\n", filepath.Join(run.Dir, rundir.BestFile))
		err = withModel(filepath.Join(run.Dir, rundir.BestFile), o, func(m *model.Model, meta train.Meta, cfg config.Config) error {
			meta.Config = cfg // --set data.path, where the file has moved
			tasks, err = scores.Of(ctx, m, meta, recorded)
			return err
		})
		return tasks, err
	}
	if plain {
		measure = nil
	}
	if err := r.Draw(measure); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return interrupted{"stopped; no report is written"}
	}
	if err := r.Write(dir); err != nil {
		return err
	}
	w := newTable(c.OutOrStdout())
	for _, s := range r.Sections {
		w.line("%s: %s of test ROC-AUC (%%), mean ± standard deviation [95 %% interval]", s.Name(), count(len(s.Groups), "configuration"))
		w.line("configuration\tseeds\tlast model\tchosen on validation\tbest on test\tpublished\tdifference")
		for _, g := range s.Groups {
			published, difference := "-", "-"
			if p := g.Published; p != nil {
				published, difference = fmt.Sprintf("%.2f ± %.2f", p.Mean, p.Deviation), fmt.Sprintf("%+.2f", g.Difference())
			}
			w.line("%s\t%d\t%s\t%s\t%s\t%s\t%s", g.Label, len(g.Runs), g.Last.String(), g.Validation.String(), g.Test.String(), published, difference)
		}
		for _, n := range s.Notes {
			w.line("note: %s", n)
		}
		w.line("")
	}
	for _, left := range r.Left {
		w.line("left out: %s", left)
	}
	w.line("Best on test is selected on the test tasks themselves, as published figures are.")
	w.line("%s has report.html, report.md, runs.csv, results.csv, tasks.csv and figures", dir)
	return w.flush()
}
