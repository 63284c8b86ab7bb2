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
// progress of its evaluations. Neither is measured for other reporters.
type Forecaster interface {
	Reporter
	// Length is called once, after the first steps.
	Length(Length)
	// Ranking is called during an evaluation, when done of total molecules are ranked. Calls
	// may come from several goroutines, but never at the same time as another
	// call of any method.
	Ranking(done, total int)
}

// StartInfo describes a run before its first step.
type StartInfo struct {
	Dir             string
	Dataset         string
	Molecules       int               // that the toolkit could read
	Skipped         int               // that it could not
	Train           []string          // names of the training tasks, without validation tasks
	Validation      []string          // names of the validation tasks
	Test            []string          // names of the test tasks
	Parameters      []model.PartCount // of the model, in its order
	Adaptive        int               // adaptive parameters of one task
	Episode         int               // episodes done already, 0 for a new run
	Episodes        int               // episodes of the whole run
	TasksPerStep    int               // after the reduction to the number of training tasks
	EpisodeTasks    int               // tasks of an episode
	Step            int               // optimisation steps done already
	StepsPerEpisode int               // optimisation steps
	Device          string
	Notes           []string // whole sentences about settings that were adjusted
	DataSeconds     float64  // time to open the data set
	ModelSeconds    float64  // time to build the model, or to read its checkpoint
}
