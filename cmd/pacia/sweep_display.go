package main

import (
	"fmt"
	"io"
	"strings"

	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/run/runconfig"
	"pacia/sweep"
)

// A sweepDisplay shows the progress of a sweep. On a terminal it is a table that is redrawn,
// elsewhere a line for each run that begins or ends.
type sweepDisplay struct {
	out   io.Writer
	board *sweep.Board
	live  *ui.Live // nil unless progress goes to a terminal
}

func newSweepDisplay(out, progress io.Writer, p *sweep.Plan, o sweepFlags) *sweepDisplay {
	d := &sweepDisplay{out: out, board: sweep.NewBoard(p, o.dir)}
	ui.Say(out, "sweep     %s: %s, %d at a time on each of %s\nfolder    %s\n",
		p.File, ui.Count(len(p.Runs), "run"), p.PerDevice, strings.Join(p.Devices, ", "), o.dir)
	if o.only < 0 { // one run of the sweep has no table
		d.live = ui.NewLive(progress, d.lines)
	}
	return d
}

func (d *sweepDisplay) close() { d.live.Close() }

// watch prints a line when a run begins or ends, unless the table shows it.
func (d *sweepDisplay) watch(r sweep.Run, s sweep.State) {
	if d.live != nil {
		return // the table shows it
	}
	switch s.Status {
	case sweep.Running:
		ui.Say(d.out, "%s  started on %s\n", r.Name, s.Device)
	case sweep.Failed:
		ui.Say(d.out, "%s  failed: %s\n", r.Name, s.Reason)
	default:
		ui.Say(d.out, "%s  %s%s\n", r.Name, s.Status, d.reached(r))
	}
}

func (d *sweepDisplay) reached(r sweep.Run) string {
	rows, err := d.board.Rows()
	if err != nil || rows[r.Index].Progress.Figure == nil {
		return ""
	}
	p := rows[r.Index].Progress
	return fmt.Sprintf(" after episode %d, %s %.4f", p.Episode, figureOf(r), *p.Figure)
}

func figureOf(r sweep.Run) string {
	name := metrics.Title(r.Config.Train.Metric)
	if r.Config.Train.TestEvery == runconfig.TestLast {
		return name // on validation tasks, and at the end on test tasks
	}
	return "test " + name
}

// figuresOf returns the name of the figure of all runs, or "figure" if it differs between them.
func figuresOf(rows []sweep.Row) string {
	for _, r := range rows {
		if figureOf(r.Run) != figureOf(rows[0].Run) {
			return "figure"
		}
	}
	return figureOf(rows[0].Run)
}

// lines returns as much of the table as fits on the terminal.
func (d *sweepDisplay) lines(width, height int) []string {
	rows, err := d.board.Rows()
	if err != nil {
		return nil // the sweep reports it at its end
	}
	return sweepLines(rows, width, height)
}

// sweepLines returns the live table, cut to width columns and height lines. If lines are left out,
// running runs come first, then failed ones, then the others.
func sweepLines(rows []sweep.Row, width, height int) []string {
	if len(rows)+2 > height {
		var ordered []sweep.Row
		for _, wanted := range []sweep.Status{sweep.Running, sweep.Failed, ""} {
			for _, r := range rows {
				if s := r.State.Status; s == wanted || (wanted == "" && s != sweep.Running && s != sweep.Failed) {
					ordered = append(ordered, r)
				}
			}
		}
		rows = ordered
	}
	var text strings.Builder
	w := ui.NewTable(&text)
	w.Line("run\tstate\tepisode\t%s", figuresOf(rows))
	for _, r := range rows[:max(0, min(len(rows), height-2))] {
		auc := ui.Figure(r.Progress.Figure)
		if r.State.Status == sweep.Failed {
			auc = r.State.Reason
		}
		w.Line("%s\t%s\t%d/%d\t%s", r.Run.Name, r.State.Status, r.Progress.Episode, r.Run.Config.Train.Episodes, auc)
	}
	_ = w.Flush() // into memory
	lines := append(strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n"), sweepCounts(rows))
	for i, line := range lines {
		lines[i] = ui.Cut(line, width)
	}
	return lines
}
