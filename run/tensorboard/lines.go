package tensorboard

import (
	"cmp"
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

	Validation metrics.Values `json:"auc_validation" further:"*_validation"`
	Test       metrics.Values `json:"auc_test" further:"*_test"`
	Adaptivity *metrics.Adaptivity

	Seconds *float64
	Time    *time.Time
}

// eventOf returns the event of a line, without values if the line has none to display. A line
// of earlier versions has no time; its event gets the time before. eventOf does not check
// lines: package train refuses lines that a run did not write.
func eventOf(text []byte, before float64) (e event) {
	var l line
	if metrics.UnmarshalMembers(text, &l) != nil {
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
	figures := func(tasks string, values metrics.Values, ending string) {
		for _, name := range metrics.Names() {
			add(tasks+name+ending, values.Find(name))
		}
	}
	tested := func(model string) {
		figures(model, l.Test, "")
		if l.Adaptivity != nil {
			figures(model, l.Adaptivity.Swapped, "_labels_swapped")
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
	figures("validation/", l.Validation, "")
	tested("test/")
	add("evaluation/seconds", l.Seconds)
	return e
}

func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }
