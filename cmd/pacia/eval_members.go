package main

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pacia/data"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/run/checkpoint"
)

// A subject names the models that are measured.
type subject struct {
	Checkpoint  string   `json:"checkpoint,omitempty"`  // of one model
	Checkpoints []member `json:"checkpoints,omitempty"` // of several, whose probabilities are averaged
}

// A member is one of several models.
type member struct {
	Checkpoint string `json:"checkpoint"`
	Episode    int    `json:"episode"`
	SameData   bool   `json:"same_data"` // it was trained on the same files
}

func subjectOf(files []string, metas []checkpoint.Meta, d *data.Dataset) (s subject) {
	if len(files) == 1 {
		return subject{Checkpoint: nameOf(files[0])}
	}
	for i, meta := range metas {
		s.Checkpoints = append(s.Checkpoints, member{files[i], meta.Episode(), d.Hash == meta.DataHash})
	}
	return s
}

// title names the models with their episodes; that of a model alone is given.
func (s subject) title(episode int) string {
	if s.Checkpoints == nil {
		return fmt.Sprintf("%s after episode %d", s.Checkpoint, episode)
	}
	names := each.Of(s.Checkpoints, func(m member) string { return fmt.Sprintf("%s after episode %d", m.Checkpoint, m.Episode) })
	return fmt.Sprintf("mean of %d models: %s", len(names), strings.Join(names, ", "))
}

// others begins a sentence on the models that were trained on other data.
func (s subject) others() string {
	names := each.Of(each.If(s.Checkpoints, func(m member) bool { return !m.SameData }), func(m member) string { return m.Checkpoint })
	switch len(names) {
	case 0:
		return "the model was"
	case 1:
		return names[0] + " was"
	}
	return strings.Join(names, ", ") + " were"
}

// onlyOne refuses several checkpoints for tests of one model.
func onlyOne(c *cobra.Command, files []string) error {
	for _, name := range []string{"values", "finetune-steps"} {
		if len(files) > 1 && c.Flags().Changed(name) {
			return &badinput.Error{What: fmt.Sprintf("--%s measures one model, and there are %d --checkpoint", name, len(files)), Fix: "name one"}
		}
	}
	return nil
}

// sameData reports whether all members were trained on the data set.
func (t *tested) sameData() bool {
	return !slices.ContainsFunc(t.metas, func(m checkpoint.Meta) bool { return m.DataHash != t.data.Hash })
}

// training names the training whose data set is measured unless the user names another one.
func (t *tested) training() string {
	if len(t.members) > 1 {
		return "first model's training"
	}
	return "training"
}

// warn warns of test tasks on which one of several members was trained: the split is that of the first member.
func (t *tested) warn() {
	for i, m := range t.Checkpoints {
		trained := trainingTasks(t.data, t.metas[i])
		both := each.If(t.tasks, func(task int) bool { return slices.Contains(trained, task) })
		if len(both) > 0 {
			names := badinput.List(each.Of(both, func(task int) string { return t.data.Tasks[task].Name }))
			slog.Warn(fmt.Sprintf("%s was trained on %s of the test tasks: %s", m.Checkpoint, ui.Grouped(len(both)), names))
		}
	}
}
