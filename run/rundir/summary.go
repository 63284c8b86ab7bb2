package rundir

import "pacia/metrics"

// Summary is the content of summary.json, written by a finished run.
type Summary struct {
	Dataset  string `json:"dataset"`
	Seed     uint64 `json:"seed"`
	Shots    int    `json:"shots"`
	Episodes int    `json:"episodes"`

	// Support and TestSupport are the sizes of the support sets, of both classes
	// together, in training and in evaluations; 0: shots of each class.
	Support     int `json:"support,omitempty"`
	TestSupport int `json:"test_support,omitempty"`

	// Metric is the figure that selects the best model: roc_auc or delta_auprc.
	// Models that were evaluated on the test tasks have both.
	Metric string `json:"metric"`

	// AUCLast is the mean ROC-AUC over the test tasks of the last model.
	AUCLast float64 `json:"auc_last,omitempty"`
	// AUCValidationSelected is the test ROC-AUC of the model that was best on
	// the validation tasks; nil if no tasks were held out.
	AUCValidationSelected *float64 `json:"auc_validation_selected"`
	// AUCBestOnTest is the test ROC-AUC of the evaluation that was best on the
	// test tasks. It is selected on the very tasks it is measured on.
	AUCBestOnTest     float64 `json:"auc_best_on_test,omitempty"`
	AUCBestOnTestNote string  `json:"auc_best_on_test_note"`

	// The mean ΔAUPRC of the same models.
	DeltaLast               *float64 `json:"delta_auprc_last,omitempty"`
	DeltaValidationSelected *float64 `json:"delta_auprc_validation_selected,omitempty"`
	DeltaBestOnTest         *float64 `json:"delta_auprc_best_on_test,omitempty"`

	Selection   string `json:"selection"`    // last | validation | test: how best.ckpt was chosen
	BestEpisode int    `json:"best_episode"` // the episode that best.ckpt holds

	PerTask []TaskSummary `json:"per_task"`

	// Adaptivity is the mean over the test tasks, for the selected model; nil if
	// not measured.
	Adaptivity     *metrics.Adaptivity `json:"adaptivity,omitempty"`
	AdaptivityNote string              `json:"adaptivity_note,omitempty"`
	// Categories are means of the selected model over the groups of Group.
	Categories []CategorySummary `json:"categories,omitempty"`

	Parameters map[string]int `json:"parameters"` // by part of the model
	Total      int            `json:"parameters_total"`
	Adaptive   int            `json:"parameters_adaptive"` // of one task
	Seconds    float64        `json:"seconds"`             // of training, over all its resumptions

	Seal *Seal `json:"seal,omitempty"` // nil in files of earlier versions
}

// Figures returns the means over the test tasks by the run's metric, of the last
// model, of the model selected on validation tasks, and of the model selected on the
// test tasks themselves. A figure that was not measured is nil.
func (s *Summary) Figures() (last, validation, best *float64) {
	if s.Metric == metrics.NameDeltaAUPRC {
		return s.DeltaLast, s.DeltaValidationSelected, s.DeltaBestOnTest
	}
	// A ROC-AUC that was not measured is 0. Runs before ΔAUPRC was added have only ROC-AUC.
	if s.DeltaLast != nil || s.AUCLast != 0 {
		last = &s.AUCLast
	}
	if s.DeltaBestOnTest != nil || s.AUCBestOnTest != 0 {
		best = &s.AUCBestOnTest
	}
	return last, s.AUCValidationSelected, best
}

// TaskSummary holds the ROC-AUC and ΔAUPRC of one test task, for each way to select
// the model.
type TaskSummary struct {
	Task               string   `json:"task"`
	Last               float64  `json:"last,omitempty"`
	ValidationSelected *float64 `json:"validation_selected"`
	BestOnTest         float64  `json:"best_on_test,omitempty"`

	DeltaLast               *float64 `json:"delta_auprc_last,omitempty"`
	DeltaValidationSelected *float64 `json:"delta_auprc_validation_selected,omitempty"`
	DeltaBestOnTest         *float64 `json:"delta_auprc_best_on_test,omitempty"`

	Adaptivity *metrics.Adaptivity `json:"adaptivity,omitempty"` // of the selected model; nil if not measured
}

// ReplicaSummary is the content of the summary.json that replicas write beside
// their folders. It has the figures of their summaries, with the same names.
type ReplicaSummary struct {
	Dataset  string   `json:"dataset"`
	Seeds    []uint64 `json:"seeds"`
	Shots    int      `json:"shots"`
	Episodes int      `json:"episodes"`

	Metric string `json:"metric"`

	AUCLast               Spread  `json:"auc_last,omitzero"`
	AUCValidationSelected *Spread `json:"auc_validation_selected"` // nil if no tasks were held out
	AUCBestOnTest         Spread  `json:"auc_best_on_test,omitzero"`
	AUCBestOnTestNote     string  `json:"auc_best_on_test_note"`

	DeltaLast               *Spread `json:"delta_auprc_last,omitempty"`
	DeltaValidationSelected *Spread `json:"delta_auprc_validation_selected,omitempty"`
	DeltaBestOnTest         *Spread `json:"delta_auprc_best_on_test,omitempty"`

	// By the metric, of the selected models; nil if not measured.
	Adaptivity *Spread `json:"adaptivity,omitempty"`
	Swapped    *Spread `json:"swapped_labels,omitempty"`
	Foreign    *Spread `json:"foreign_support,omitempty"`
	Static     *Spread `json:"static_score,omitempty"`

	Selection string  `json:"selection"`
	Seconds   float64 `json:"seconds"` // of all runs together, which train at the same time
}

// Spread is a figure over replicas.
type Spread struct {
	Mean              float64   `json:"mean"`
	StandardDeviation float64   `json:"standard_deviation"` // of the sample: over n-1
	Values            []float64 `json:"values"`             // in the order of the seeds
}
