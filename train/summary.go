package train

// Summary is what a finished run leaves in summary.json.
type Summary struct {
	Dataset  string `json:"dataset"`
	Seed     uint64 `json:"seed"`
	Shots    int    `json:"shots"`
	Episodes int    `json:"episodes"`

	// AUCLast is the mean ROC-AUC over the test tasks of the last model.
	AUCLast float64 `json:"auc_last"`
	// AUCValidationSelected is the test ROC-AUC of the model that was best on
	// the validation tasks; nil where no tasks were held out.
	AUCValidationSelected *float64 `json:"auc_validation_selected"`
	// AUCBestOnTest is the largest test ROC-AUC of all evaluations. It is
	// selected on the very tasks it is measured on.
	AUCBestOnTest     float64 `json:"auc_best_on_test"`
	AUCBestOnTestNote string  `json:"auc_best_on_test_note"`

	Selection   string `json:"selection"`    // last | validation | test: how best.ckpt was chosen
	BestEpisode int    `json:"best_episode"` // the episode that best.ckpt holds

	PerTask []TaskSummary `json:"per_task"`

	Parameters map[string]int `json:"parameters"` // by part of the model
	Total      int            `json:"parameters_total"`
	Adaptive   int            `json:"parameters_adaptive"` // of one task
	Seconds    float64        `json:"seconds"`             // of training, over all its resumptions
}

// TaskSummary holds one test task's ROC-AUC by each way to choose the model.
type TaskSummary struct {
	Task               string   `json:"task"`
	Last               float64  `json:"last"`
	ValidationSelected *float64 `json:"validation_selected"`
	BestOnTest         float64  `json:"best_on_test"`
}
