package rundir

import (
	"bytes"
	"slices"

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
	Episode int `json:"episode"`        // the last one before the evaluation
	Step    int `json:"step,omitempty"` // the last one before the evaluation, if an episode has several

	TestMean       metrics.Values    `json:"auc_test,omitempty" further:"*_test"`             // of Test; nil if it is
	ValidationMean metrics.Values    `json:"auc_validation,omitempty" further:"*_validation"` // of Validation; nil without validation tasks
	Test           []metrics.Figures `json:"test"`                                            // nil if the test tasks were not evaluated
	Validation     []metrics.Figures `json:"validation,omitempty"`
	Queries        int               `json:"queries"` // molecules scored
	Seconds        float64           `json:"seconds"`

	Metric   string `json:"metric" further:"behind"`  // selects the best model
	LeftOut  int    `json:"draws_left_out,omitempty"` // draws for which the task is too small
	Selected bool   `json:"-"`                        // of the selected model, at the end; its line has another form

	Adaptivity *metrics.Adaptivity `json:"adaptivity,omitempty"` // mean of Test; nil if not measured
}

// MarshalJSON encodes an evaluation. The last line of a finished run, of the selected model,
// has the number of its episode as "selected", and no "episode". It is removed when the run
// is resumed.
func (e Evaluation) MarshalJSON() ([]byte, error) {
	text, err := metrics.MarshalMembers(e)
	if rest, ok := bytes.CutPrefix(text, []byte(`{"episode"`)); ok && e.Selected {
		text = slices.Concat([]byte(`{"selected"`), rest)
	}
	return text, err
}

// UnmarshalJSON decodes an evaluation. It leaves fields alone that the text does not have.
func (e *Evaluation) UnmarshalJSON(text []byte) error { return metrics.UnmarshalMembers(text, e) }

// AddTest sets the figures of the test tasks.
func (e *Evaluation) AddTest(all []metrics.Figures) {
	e.Test, e.TestMean, e.Adaptivity = all, metrics.Mean(all), metrics.MeanAdaptivityOf(all)
}

// AddValidation sets the figures of the validation tasks.
func (e *Evaluation) AddValidation(all []metrics.Figures) {
	e.Validation, e.ValidationMean = all, metrics.Mean(all)
}

// TestFigure returns the mean over the test tasks by the evaluation's metric, or nil if
// they were not evaluated.
func (e *Evaluation) TestFigure() *float64 { return e.TestMean.Find(e.Metric) }

// ValidationFigure returns the mean over the validation tasks by the evaluation's metric,
// or nil without validation tasks.
func (e *Evaluation) ValidationFigure() *float64 { return e.ValidationMean.Find(e.Metric) }
