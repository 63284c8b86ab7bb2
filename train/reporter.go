package train

import (
	"pacia/model"
	"pacia/run/rundir"
)

// Reporter receives the progress of a run. Its methods are called one after the other,
// from the goroutine that trains, and should return at once.
type Reporter interface {
	Start(StartInfo)
	Step(rundir.Step)
	Evaluation(rundir.Evaluation)
	Done(rundir.Summary)
}

// A Forecaster is a Reporter that also receives a forecast of the run's length and the
// progress of its evaluations. Nothing of this is measured for other reporters.
type Forecaster interface {
	Reporter
	// Length is called once, after the first steps.
	Length(Length)
	// Ranking is called during an evaluation, when so many molecules of a total are
	// ranked: from several goroutines, but one after the other, and beside no other method.
	Ranking(done, total int)
}

// StartInfo describes a run before its first step.
type StartInfo struct {
	Dir             string
	Dataset         string
	Molecules       int               // that the toolkit could read
	Skipped         int               // that it could not
	Train           []string          // names of the training tasks, validation tasks not among them
	Validation      []string          // names of the tasks held out of the training tasks
	Test            []string          // names of the test tasks
	Parameters      []model.PartCount // of the model, in its order
	Adaptive        int               // adaptive parameters of one task
	Episode         int               // episodes done already: 0, or where a run continues
	Episodes        int               // episodes of the whole run
	TasksPerStep    int               // after the reduction to the number of training tasks
	EpisodeTasks    int               // of an episode
	Step            int               // optimisation steps done already
	StepsPerEpisode int               // optimisation steps
	Device          string
	Notes           []string // whole sentences about settings that were changed to fit
	DataSeconds     float64  // opening the data set
	ModelSeconds    float64  // building the model, or reading it from its checkpoint
}
