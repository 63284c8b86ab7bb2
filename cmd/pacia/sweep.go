package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/sweep"
)

// sweepFlags holds the flags of pacia sweep.
type sweepFlags struct {
	dir, engine   string
	only          int
	retry, status bool
	result        asJSON
}

func newSweep() *cobra.Command {
	var o sweepFlags
	c := &cobra.Command{
		Use:   "sweep FILE",
		Short: "Train many models that differ in their settings and seeds",
		Long: `Train many models that differ in their settings and seeds. FILE describes them:
a grid, a list or a random sample over any settings, times the seeds; and the
devices, with how many runs at a time on each.

Every run is a process of its own, with its folder in that of --out; one that
fails is kept with its reason and does not stop the others. A sweep that was
stopped or killed and is started again resumes what was begun and repeats nothing
that was finished. With --engine slurm the runs become a job array on a cluster.`,
		Example: `  pacia sweep examples/sweeps/embedded.yaml
  pacia sweep examples/sweeps/embedded.yaml --status
  PACIA_DATA_PATH=sider.csv.gz pacia sweep examples/sweeps/sider.yaml --engine slurm --out runs/sider
  pacia report runs/sider --out report`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return nil
			}
			return &badinput.Error{What: fmt.Sprintf("pacia sweep takes one file, not %d", len(args)), Fix: "write pacia sweep FILE; see pacia sweep --help"}
		},
		RunE: func(c *cobra.Command, args []string) error { return runSweep(c, args[0], o) },
	}
	c.Flags().StringVar(&o.dir, "out", "", "`FOLDER` of the sweep (default runs/NAME, after FILE)")
	c.Flags().StringVar(&o.engine, "engine", "local", "local: on this machine; slurm: as a job array")
	o.result.add(c)
	c.Flags().BoolVar(&o.status, "status", false, "show the progress of the runs, and start none")
	c.Flags().BoolVar(&o.retry, "retry", false, "try again what failed")
	c.Flags().IntVar(&o.only, "only", -1, "make the run of this `INDEX` alone, counted from 0 in the order of FILE")
	return c
}

func runSweep(c *cobra.Command, file string, o sweepFlags) error {
	if o.engine != "local" && o.engine != "slurm" {
		return &badinput.Error{What: fmt.Sprintf("--engine %q is not known", o.engine), Fix: "write local or slurm"}
	}
	if c.Flags().Changed("only") && (o.only < 0 || o.engine == "slurm") {
		return &badinput.Error{What: "--only takes the index of a run, which this process makes", Fix: "write --only 0 for the first, without --engine slurm"}
	}
	p, err := sweep.Read(file)
	if err != nil {
		return err
	}
	o.dir = cmp.Or(o.dir, filepath.Join("runs", p.Label))
	if o.status {
		return showSweep(c, p, o)
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	if o.engine == "slurm" {
		return submitSweep(c, p, o, program)
	}
	return makeSweep(c, p, o, program)
}

func makeSweep(c *cobra.Command, p *sweep.Plan, o sweepFlags, program string) error {
	if o.only >= 0 {
		p.Devices, p.PerDevice = []string{p.TaskDevice()}, 1
	}
	for _, d := range p.Devices {
		if err := checkDevice(d); err != nil {
			return err
		}
	}
	if err := p.Begin(o.dir); err != nil {
		return err
	}
	ctx, done := untilInterrupted(c.Context())
	defer done()
	live := newSweepDisplay(o.result.textOut(c), c.ErrOrStderr(), p, o)
	states, err := p.Run(ctx, sweep.Options{
		Dir: o.dir, Program: []string{program}, Only: o.only, Retry: o.retry, Watch: live.watch,
	})
	live.close()
	if err != nil {
		return err
	}
	if o.only >= 0 {
		states = states[o.only : o.only+1]
	} else if err := showSweep(c, p, o); err != nil {
		return err
	}
	return sweepEnded(ctx, states, p.File, o.dir)
}

// sweepEnded returns an error unless all runs have finished. Its message names the command to continue.
func sweepEnded(ctx context.Context, states []sweep.State, file, dir string) error {
	finished, failed := sweep.Count(states, sweep.Finished), sweep.Count(states, sweep.Failed)
	switch {
	case finished == len(states):
		return nil
	case ctx.Err() != nil || finished+failed < len(states):
		return interrupted{fmt.Sprintf("stopped with %d of %d runs finished; what the others did is saved; the same command continues", finished, len(states))}
	}
	again := fmt.Sprintf("pacia sweep %s --out %s --retry", badinput.Path(file), badinput.Path(dir))
	return fmt.Errorf("%d of %d runs failed; %s tries them again", failed, len(states), again)
}

func submitSweep(c *cobra.Command, p *sweep.Plan, o sweepFlags, program string) error {
	if err := p.Begin(o.dir); err != nil {
		return err
	}
	todo, err := p.Todo(o.dir, o.retry)
	if err != nil {
		return err
	}
	if len(todo) == 0 {
		return showSweep(c, p, o)
	}
	submitted, err := p.Submit(c.Context(), o.dir, todo, []string{program})
	if err != nil {
		return err
	}
	ui.Say(o.result.textOut(c), "%s: %s of %s\npacia sweep %s --out %s --status shows them\n", submitted, ui.Count(len(todo), "run"), p.File, badinput.Path(p.File), badinput.Path(o.dir))
	if !o.result {
		return nil
	}
	return showSweep(c, p, o)
}

func showSweep(c *cobra.Command, p *sweep.Plan, o sweepFlags) error {
	rows, err := sweep.NewBoard(p, o.dir).Rows()
	if err != nil {
		return err
	}
	w := ui.NewTable(o.result.textOut(c))
	w.Line("run\tstate\tepisode\tlast model\tchosen on validation\tbest on test")
	for _, r := range rows {
		w.Line("%s", sweepRow(r))
	}
	w.Line("%s", sweepCounts(rows))
	if err := w.Flush(); err != nil {
		return err
	}
	return o.result.write(c, sweepResult(rows, p.File, o.dir))
}

func sweepRow(r sweep.Row) string {
	episodes := fmt.Sprintf("%d/%d", r.Progress.Episode, r.Run.Config.Train.Episodes)
	switch {
	case r.Summary != nil:
		last, validation, best := r.Summary.Figures()
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s", r.Run.Name, r.State.Status, episodes, ui.Figure(last), ui.Figure(validation), ui.Figure(best))
	case r.State.Status == sweep.Failed:
		return fmt.Sprintf("%s\t%s\t%s\t%s", r.Run.Name, r.State.Status, episodes, r.State.Reason)
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s", r.Run.Name, r.State.Status, episodes, ui.Figure(r.Progress.Figure))
}

func sweepCounts(rows []sweep.Row) string {
	text := ""
	for _, status := range []sweep.Status{sweep.Finished, sweep.Running, sweep.Stopped, sweep.Waiting, sweep.Failed} {
		n := each.Count(rows, func(r sweep.Row) bool { return r.State.Status == status })
		if n > 0 {
			text += fmt.Sprintf(", %d %s", n, status)
		}
	}
	return ui.Count(len(rows), "run") + ":" + text[1:]
}
