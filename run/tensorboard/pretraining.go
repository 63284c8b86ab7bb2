package tensorboard

import (
	"encoding/json"
	"strings"
)

// A pretrainingLine holds the displayed fields of one line of pretrain.jsonl: the figures of
// a step, or those on the held-out molecules.
type pretrainingLine struct {
	Step     int64
	Training *figures
	HeldOut  *figures `json:"held_out"`
}

type figures struct {
	Loss  float64
	Parts []struct {
		Name           string
		Loss, Accuracy float64
	}
}

// pretrainingOf returns the event of a line of pretrain.jsonl. The line has no time, so that the
// files of two runs with one seed are equal.
func pretrainingOf(text []byte, now float64) (e event, is bool) {
	var l pretrainingLine
	if json.Unmarshal(text, &l) != nil || (l.Training == nil) == (l.HeldOut == nil) {
		return e, false
	}
	e.step, e.time = l.Step, now
	of, f := "train/", l.Training
	if f == nil {
		of, f = "held_out/", l.HeldOut
	}
	e.values = append(e.values, scalar{of + "loss", f.Loss})
	for _, p := range f.Parts {
		name := of + strings.ReplaceAll(p.Name, " ", "_")
		e.values = append(e.values, scalar{name + "_loss", p.Loss}, scalar{name + "_accuracy", p.Accuracy})
	}
	return e, true
}
