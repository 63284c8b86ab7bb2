package train

import (
	"pacia/model"
	"pacia/rundir"
)

// Reporter is told how a run goes on. Its methods are called one after the
// other, from the goroutine that trains, and should return at once.
type Reporter interface {
	Start(StartInfo)
	Step(rundir.Step)
	Evaluation(rundir.Evaluation)
	Done(rundir.Summary)
}

// StartInfo describes a run before its first step.
type StartInfo struct {
	Dir          string
	Dataset      string
	Molecules    int               // that the toolkit could read
	Skipped      int               // that it could not
	Train        []string          // names of the training tasks, validation tasks not among them
	Validation   []string          // names of the tasks held out of the training tasks
	Test         []string          // names of the test tasks
	Parameters   []model.PartCount // of the model, in its order
	Adaptive     int               // adaptive parameters of one task
	Episode      int               // episodes done already: 0, or where a run continues
	Episodes     int               // episodes of the whole run
	TasksPerStep int               // after the reduction to the number of training tasks
	Device       string
	Notes        []string // whole sentences about settings that were changed to fit
	DataSeconds  float64  // opening the data set
	ModelSeconds float64  // building the model, or reading it from its checkpoint
}

// PartCount is the number of trainable parameters of one part of the model.
type PartCount struct {
	Part  string `json:"part"`
	Count int    `json:"count"`
}
