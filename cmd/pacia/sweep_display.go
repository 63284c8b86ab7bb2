package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"golang.org/x/term"

	"pacia/sweep"
	"pacia/train"
)

// A sweepDisplay shows a sweep that goes on: a table that is drawn again and
// again on a terminal, a line for each run that begins or ends elsewhere.
type sweepDisplay struct {
	out, progress io.Writer
	board         *sweep.Board
	dir           string
	alone         bool // one run of the sweep is all there is to do
	term          *os.File

	mu    sync.Mutex
	drawn int // lines of the table on the terminal
	end   chan bool
	ended sync.WaitGroup
}

func newSweepDisplay(out, progress io.Writer, p *sweep.Plan, o sweepFlags) *sweepDisplay {
	d := &sweepDisplay{out: out, progress: progress, board: sweep.NewBoard(p, o.dir), dir: o.dir, alone: o.only >= 0, end: make(chan bool)}
	say(out, "sweep     %s: %s, %d at a time on each of %s\nfolder    %s\n",
		p.File, count(len(p.Runs), "run"), p.PerDevice, strings.Join(p.Devices, ", "), o.dir)
	if f, ok := progress.(*os.File); ok && term.IsTerminal(int(f.Fd())) && !d.alone {
		d.term = f
		d.ended.Go(d.redraw)
	}
	return d
}

// redraw draws the table every second until the end.
func (d *sweepDisplay) redraw() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		d.mu.Lock()
		d.clear()
		d.draw()
		d.mu.Unlock()
		select {
		case <-d.end:
			return
		case <-tick.C:
		}
	}
}

// watch says that a run begins or ends.
func (d *sweepDisplay) watch(r sweep.Run, s sweep.State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.term != nil {
		return // the table shows it
	}
	switch s.Status {
	case sweep.Running:
		say(d.out, "%s  started on %s\n", r.Name, s.Device)
	case sweep.Failed:
		say(d.out, "%s  failed: %s\n", r.Name, s.Reason)
	default:
		say(d.out, "%s  %s%s\n", r.Name, s.Status, d.reached(r))
	}
}

// reached is where a run has come.
func (d *sweepDisplay) reached(r sweep.Run) string {
	rows, err := d.board.Rows()
	if err != nil || rows[r.Index].Progress.Figure == nil {
		return ""
	}
	p := rows[r.Index].Progress
	return fmt.Sprintf(" after episode %d, %s %.4f", p.Episode, figureOf(r), *p.Figure)
}

// figureOf names the figure that a run is followed by.
func figureOf(r sweep.Run) string {
	name := metricName(r.Config.Train.Metric)
	if r.Config.Train.TestEvery == train.TestLast {
		return name // on validation tasks, and in the end on test tasks
	}
	return "test " + name
}

// figuresOf names those of all runs, if that is one.
func figuresOf(rows []sweep.Row) string {
	for _, r := range rows {
		if figureOf(r.Run) != figureOf(rows[0].Run) {
			return "figure"
		}
	}
	return figureOf(rows[0].Run)
}

// draw draws as much of the table as the terminal has lines for: runs under way
// come first, then those that failed, then the others in their order.
func (d *sweepDisplay) draw() {
	rows, err := d.board.Rows()
	if err != nil {
		return // the end of the sweep says it
	}
	width, height, err := term.GetSize(int(d.term.Fd()))
	if err != nil {
		width, height = 80, 24
	}
	lines := sweepLines(rows, width, height-2)
	say(d.progress, "%s", strings.Join(lines, "\n")+"\n")
	d.drawn = len(lines)
}

func (d *sweepDisplay) clear() {
	if d.drawn > 0 {
		say(d.progress, "\x1b[%dA\x1b[J", d.drawn) // up, and delete what is below
	}
	d.drawn = 0
}

// close takes the table away.
func (d *sweepDisplay) close() {
	close(d.end)
	d.ended.Wait()
	d.clear()
}

// sweepLines is the live table in at most so many columns and lines.
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
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	say(w, "run\tstate\tepisode\t%s\n", figuresOf(rows))
	for _, r := range rows[:max(0, min(len(rows), height-2))] {
		auc := maybe(r.Progress.Figure)
		if r.State.Status == sweep.Failed {
			auc = r.State.Reason
		}
		say(w, "%s\t%s\t%d/%d\t%s\n", r.Run.Name, r.State.Status, r.Progress.Episode, r.Run.Config.Train.Episodes, auc)
	}
	_ = w.Flush() // into memory
	lines := append(strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n"), sweepCounts(rows))
	for i, line := range lines {
		if r := []rune(line); len(r) > width-1 {
			lines[i] = string(r[:max(0, width-2)]) + "…"
		}
	}
	return lines
}
