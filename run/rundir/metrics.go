package rundir

import (
	"encoding/json"

	"pacia/metrics"
)

// Step is one optimisation step, a line of metrics.jsonl.
type Step struct {
	Episode  int     `json:"episode"`        // of the step, counted from 1
	Step     int     `json:"step,omitempty"` // counted from 1 over the whole run, if an episode has several
	Loss     float64 `json:"loss"`
	GradNorm float64 `json:"grad_norm"` // before clipping
	Rate     float64 `json:"learning_rate,omitempty"`
	Seconds  float64 `json:"seconds"` // for the batch, both passes and the update
	Tensors  int64   `json:"-"`       // gotch tensors made by the step
	Launches int     `json:"-"`       // kernels and copies of the step, if it is one CUDA graph
}

// Evaluation is one evaluation, a line of metrics.jsonl.
type Evaluation struct {
	Episode       int               `json:"episode"`                  // the last one before the evaluation
	Step          int               `json:"step,omitempty"`           // the last one before the evaluation, if an episode has several
	AUCTest       float64           `json:"auc_test,omitempty"`       // mean of Test
	AUCValidation *float64          `json:"auc_validation,omitempty"` // mean of Validation; nil without validation tasks
	Test          []metrics.Figures `json:"test"`                     // nil if the test tasks were not evaluated
	Validation    []metrics.Figures `json:"validation,omitempty"`
	Queries       int               `json:"queries"` // molecules scored
	Seconds       float64           `json:"seconds"`

	Metric          string   `json:"metric"`                           // roc_auc | delta_auprc: selects the best model
	DeltaTest       *float64 `json:"delta_auprc_test,omitempty"`       // mean of Test; nil if the test tasks were not evaluated
	DeltaValidation *float64 `json:"delta_auprc_validation,omitempty"` // mean of Validation
	LeftOut         int      `json:"draws_left_out,omitempty"`         // draws for which the task is too small
	Selected        bool     `json:"-"`                                // of the selected model, at the end; its line has another form

	Adaptivity *metrics.Adaptivity `json:"adaptivity,omitempty"` // mean of Test; nil if not measured
}

// MarshalJSON encodes an evaluation. The last line of a finished run, of the selected model,
// has the number of its episode as "selected", and no "episode". It is removed when the run
// is resumed.
func (e Evaluation) MarshalJSON() ([]byte, error) {
	type plain Evaluation
	if !e.Selected {
		return json.Marshal(plain(e))
	}
	return json.Marshal(struct {
		Of      int  `json:"selected"`
		Episode *int `json:"episode,omitempty"` // hides that of plain
		plain
	}{Of: e.Episode, plain: plain(e)})
}

// TakeTest sets the figures of the test tasks.
func (e *Evaluation) TakeTest(all []metrics.Figures) {
	delta := metrics.Mean(all, metrics.NameDeltaAUPRC)
	e.Test, e.AUCTest, e.DeltaTest = all, metrics.Mean(all, metrics.NameROCAUC), &delta
	e.Adaptivity = metrics.MeanAdaptivityOf(all)
}

// TakeValidation sets the figures of the validation tasks.
func (e *Evaluation) TakeValidation(all []metrics.Figures) {
	auc, delta := metrics.Mean(all, metrics.NameROCAUC), metrics.Mean(all, metrics.NameDeltaAUPRC)
	e.Validation, e.AUCValidation, e.DeltaValidation = all, &auc, &delta
}

// TestFigure returns the mean over the test tasks by the evaluation's metric, or nil if
// they were not evaluated.
func (e *Evaluation) TestFigure() *float64 {
	switch {
	case len(e.Test) == 0 && e.AUCTest == 0:
		return nil
	case e.Metric == metrics.NameDeltaAUPRC:
		return e.DeltaTest
	}
	return &e.AUCTest
}

// ValidationFigure returns the mean over the validation tasks by the evaluation's metric,
// or nil without validation tasks.
func (e *Evaluation) ValidationFigure() *float64 {
	if e.Metric == metrics.NameDeltaAUPRC {
		return e.DeltaValidation
	}
	return e.AUCValidation
}
