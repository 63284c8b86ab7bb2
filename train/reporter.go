package train

import "pacia/model"

// Reporter is told how a run goes on. Its methods are called one after the
// other, from the goroutine that trains, and should return at once.
type Reporter interface {
	Start(StartInfo)
	Step(StepInfo)
	Evaluation(EvalInfo)
	Done(Summary)
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

// StepInfo is one optimisation step, one line of metrics.jsonl.
type StepInfo struct {
	Episode  int     `json:"episode"` // 1 for the first step
	Loss     float64 `json:"loss"`
	GradNorm float64 `json:"grad_norm"` // before clipping
	Seconds  float64 `json:"seconds"`   // of waiting for the batch, the passes and the update
	Tensors  int64   `json:"-"`         // gotch tensors made by the step
	Launches int     `json:"-"`         // kernels and copies of the step, where they are started as one CUDA graph
}

// EvalInfo is one evaluation, one line of metrics.jsonl.
type EvalInfo struct {
	Episode       int       `json:"episode"`
	AUCTest       float64   `json:"auc_test,omitempty"`       // mean of Test
	AUCValidation *float64  `json:"auc_validation,omitempty"` // mean of Validation; nil without validation tasks
	Test          []TaskAUC `json:"test"`                     // nil where the test tasks were not evaluated
	Validation    []TaskAUC `json:"validation,omitempty"`
	Queries       int       `json:"queries"` // molecules scored
	Seconds       float64   `json:"seconds"`

	Metric          string   `json:"metric"`                           // roc_auc | delta_auprc: what the best is the best by
	DeltaTest       *float64 `json:"delta_auprc_test,omitempty"`       // mean of Test; nil where the test tasks were not evaluated
	DeltaValidation *float64 `json:"delta_auprc_validation,omitempty"` // mean of Validation
	LeftOut         int      `json:"draws_left_out,omitempty"`         // draws that a task does not hold
	Selected        bool     `json:"-"`                                // the one of the selected model, in the end (train.test_every=last)
}

// TaskAUC is the figures of one task.
type TaskAUC struct {
	Task       string  `json:"task"`
	AUC        float64 `json:"auc"`
	DeltaAUPRC float64 `json:"delta_auprc"`     // average precision less the share of actives
	Draws      int     `json:"draws,omitempty"` // support sets that the figures are means over
}
