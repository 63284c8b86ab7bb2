package sweep

import (
	"path/filepath"

	"pacia/run/rundir"
)

// A Board reads the progress of all runs of a plan.
type Board struct {
	plan      *Plan
	dir       string
	followers []rundir.Follower
	done      []*rundir.Summary
}

// A Row is the progress of one run.
type Row struct {
	Run      Run
	State    State
	Progress rundir.Progress
	Summary  *rundir.Summary // of a finished run
}

// NewBoard returns the board of the plan in dir.
func NewBoard(p *Plan, dir string) *Board {
	b := &Board{plan: p, dir: dir, followers: make([]rundir.Follower, len(p.Runs)), done: make([]*rundir.Summary, len(p.Runs))}
	for i, r := range p.Runs {
		b.followers[i].Dir = filepath.Join(dir, r.Name)
	}
	return b
}

// Rows returns the present progress of all runs, in the order of the plan.
func (b *Board) Rows() ([]Row, error) {
	states, err := b.plan.States(b.dir)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(states))
	for i, s := range states {
		rows[i] = Row{Run: b.plan.Runs[i], State: s}
		if s.Status != Waiting && b.done[i] == nil {
			rows[i].Progress = b.followers[i].Progress()
		}
		if s.Status == Finished {
			rows[i].Summary = b.summary(i)
			rows[i].Progress.Episode = s.Episodes
			rows[i].Progress.Figure = latest(rows[i].Summary)
		}
	}
	return rows, nil
}

// latest returns the figure of a finished run's last model, or of the selected model if
// the test tasks were evaluated only at the end.
func latest(s *rundir.Summary) *float64 {
	last, validation, _ := s.Figures()
	if last == nil {
		return validation
	}
	return last
}

func (b *Board) summary(i int) *rundir.Summary {
	if b.done[i] == nil {
		b.done[i] = new(rundir.Summary)
		if s, err := rundir.ReadSummary(b.followers[i].Dir); err == nil { // pacia report explains an error
			b.done[i] = &s
		}
	}
	return b.done[i]
}
