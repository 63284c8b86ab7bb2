package tensorboard

import (
	"cmp"
	"encoding/json"
	"time"

	"pacia/metrics"
)

// A line holds the displayed fields of one line of metrics.jsonl: of a step, of an
// evaluation, or of the selected model. A missing field is nil and is not shown.
type line struct {
	Episode  *int64
	Step     *int64 // if an episode has several
	Selected *int64 // the episode of the selected model

	Loss         *float64
	GradNorm     *float64 `json:"grad_norm"`
	LearningRate *float64 `json:"learning_rate"`

	AUCValidation   *float64 `json:"auc_validation"`
	DeltaValidation *float64 `json:"delta_auprc_validation"`
	AUCTest         *float64 `json:"auc_test"`
	DeltaTest       *float64 `json:"delta_auprc_test"`
	Adaptivity      *metrics.Adaptivity

	Seconds *float64
	Time    *time.Time
}

// eventOf returns the event of a line, without values if the line has none to display. A line
// of earlier versions has no time; its event gets the time before. eventOf does not check
// lines: package train refuses lines that a run did not write.
func eventOf(text []byte, before float64) (e event) {
	var l line
	if json.Unmarshal(text, &l) != nil {
		return e
	}
	e.time = before
	if l.Time != nil {
		e.time = seconds(*l.Time)
	}
	add := func(tag string, value *float64) {
		if value != nil {
			e.values = append(e.values, scalar{tag, *value})
		}
	}
	tested := func(of string) {
		add(of+"roc_auc", l.AUCTest)
		add(of+"delta_auprc", l.DeltaTest)
		if a := l.Adaptivity; a != nil {
			add(of+"roc_auc_labels_swapped", &a.Swapped.AUC)
			add(of+"delta_auprc_labels_swapped", &a.Swapped.DeltaAUPRC)
		}
	}
	if step := cmp.Or(l.Step, l.Selected, l.Episode); step != nil {
		e.step = *step
	}
	if l.Selected != nil {
		tested("selected/")
		return e
	}
	if l.Loss != nil {
		add("train/loss", l.Loss)
		add("train/grad_norm", l.GradNorm)
		add("train/learning_rate", l.LearningRate)
		add("train/seconds", l.Seconds)
		return e
	}
	add("validation/roc_auc", l.AUCValidation)
	add("validation/delta_auprc", l.DeltaValidation)
	tested("test/")
	add("evaluation/seconds", l.Seconds)
	return e
}

func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }
