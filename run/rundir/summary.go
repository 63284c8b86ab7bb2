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

	// Metric is the figure that selects the best model. Models that were evaluated on
	// the test tasks have all figures.
	Metric string `json:"metric"`

	// Last is the mean over the test tasks of the last model.
	Last metrics.Values `json:"auc_last,omitempty" further:"*_last"`
	// ValidationSelected is the mean over the test tasks of the model that was best on
	// the validation tasks; nil if no tasks were held out.
	ValidationSelected metrics.Values `json:"auc_validation_selected" further:"*_validation_selected"`
	// BestOnTest is the mean over the test tasks of the evaluation that was best on them:
	// it is selected on the very tasks it is measured on.
	BestOnTest     metrics.Values `json:"auc_best_on_test,omitempty" further:"*_best_on_test"`
	BestOnTestNote string         `json:"auc_best_on_test_note" further:"behind"`

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

// MarshalJSON encodes each metric as a member.
func (s Summary) MarshalJSON() ([]byte, error) { return metrics.MarshalMembers(s) }

// UnmarshalJSON decodes the members.
func (s *Summary) UnmarshalJSON(text []byte) error { return metrics.UnmarshalMembers(text, s) }

// Figures returns the means over the test tasks by the run's metric, of the last
// model, of the model selected on validation tasks, and of the model selected on the
// test tasks themselves. A figure that was not measured is nil.
func (s *Summary) Figures() (last, validation, best *float64) {
	return s.Last.Find(s.Metric), s.ValidationSelected.Find(s.Metric), s.BestOnTest.Find(s.Metric)
}

// TaskSummary holds the figures of one test task, for each way to select the model.
type TaskSummary struct {
	Task               string         `json:"task"`
	Last               metrics.Values `json:"last,omitempty" further:"*_last"`
	ValidationSelected metrics.Values `json:"validation_selected" further:"*_validation_selected"`
	BestOnTest         metrics.Values `json:"best_on_test,omitempty" further:"*_best_on_test"`

	Adaptivity *metrics.Adaptivity `json:"adaptivity,omitempty"` // of the selected model; nil if not measured
}

// MarshalJSON encodes each metric as a member.
func (t TaskSummary) MarshalJSON() ([]byte, error) { return metrics.MarshalMembers(t) }

// UnmarshalJSON decodes the members.
func (t *TaskSummary) UnmarshalJSON(text []byte) error { return metrics.UnmarshalMembers(text, t) }

// ReplicaSummary is the content of the summary.json that replicas write beside
// their folders. It has the figures of their summaries, with the same names.
type ReplicaSummary struct {
	Dataset  string   `json:"dataset"`
	Seeds    []uint64 `json:"seeds"`
	Shots    int      `json:"shots"`
	Episodes int      `json:"episodes"`

	Metric string `json:"metric"`

	// Of each metric; nil if a run did not measure it.
	Last               []*Spread `json:"auc_last,omitempty" further:"*_last"`
	ValidationSelected []*Spread `json:"auc_validation_selected" further:"*_validation_selected"`
	BestOnTest         []*Spread `json:"auc_best_on_test,omitempty" further:"*_best_on_test"`
	BestOnTestNote     string    `json:"auc_best_on_test_note" further:"behind"`

	// By the metric, of the selected models; nil if not measured.
	Adaptivity *Spread `json:"adaptivity,omitempty"`
	Swapped    *Spread `json:"swapped_labels,omitempty"`
	Foreign    *Spread `json:"foreign_support,omitempty"`
	Static     *Spread `json:"static_score,omitempty"`

	Selection string  `json:"selection"`
	Seconds   float64 `json:"seconds"` // of all runs together, which train at the same time
}

// MarshalJSON encodes each metric as a member.
func (s ReplicaSummary) MarshalJSON() ([]byte, error) { return metrics.MarshalMembers(s) }

// UnmarshalJSON decodes the members.
func (s *ReplicaSummary) UnmarshalJSON(text []byte) error { return metrics.UnmarshalMembers(text, s) }

// Figures returns the figures by the metric of the runs, like those of a [Summary].
func (s *ReplicaSummary) Figures() (last, validation, best *Spread) {
	figure := func(all []*Spread) *Spread {
		if at := metrics.Index(s.Metric); at < len(all) {
			return all[at]
		}
		return nil
	}
	return figure(s.Last), figure(s.ValidationSelected), figure(s.BestOnTest)
}

// Spread is a figure over replicas.
type Spread struct {
	Mean              float64   `json:"mean"`
	StandardDeviation float64   `json:"standard_deviation"` // of the sample: over n-1
	Values            []float64 `json:"values"`             // in the order of the seeds
}
