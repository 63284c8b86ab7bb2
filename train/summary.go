package train

// Summary is what a finished run leaves in summary.json.
type Summary struct {
	Dataset  string `json:"dataset"`
	Seed     uint64 `json:"seed"`
	Shots    int    `json:"shots"`
	Episodes int    `json:"episodes"`

	// Support and TestSupport are the sizes of the support sets, of both classes
	// together, in training and in evaluations; 0: shots of each class.
	Support     int `json:"support,omitempty"`
	TestSupport int `json:"test_support,omitempty"`

	// Metric is what the best model is the best by: roc_auc or delta_auprc. There
	// are both figures of each model that the test tasks were evaluated with.
	Metric string `json:"metric"`

	// AUCLast is the mean ROC-AUC over the test tasks of the last model.
	AUCLast float64 `json:"auc_last,omitempty"`
	// AUCValidationSelected is the test ROC-AUC of the model that was best on
	// the validation tasks; nil where no tasks were held out.
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

	Parameters map[string]int `json:"parameters"` // by part of the model
	Total      int            `json:"parameters_total"`
	Adaptive   int            `json:"parameters_adaptive"` // of one task
	Seconds    float64        `json:"seconds"`             // of training, over all its resumptions
}

// TaskSummary holds one test task's ROC-AUC and ΔAUPRC by each way to choose the
// model.
type TaskSummary struct {
	Task               string   `json:"task"`
	Last               float64  `json:"last,omitempty"`
	ValidationSelected *float64 `json:"validation_selected"`
	BestOnTest         float64  `json:"best_on_test,omitempty"`

	DeltaLast               *float64 `json:"delta_auprc_last,omitempty"`
	DeltaValidationSelected *float64 `json:"delta_auprc_validation_selected,omitempty"`
	DeltaBestOnTest         *float64 `json:"delta_auprc_best_on_test,omitempty"`
}
