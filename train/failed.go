package train

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/ops"
	"pacia/run/rundir"
)

// failed writes a step that could not be made to failed-episode.json and adds the path to
// the error. If the device was lost, the step is not the cause and is not written.
func (r *run) failed(s step, err error) error {
	if errors.Is(err, ops.ErrDeviceLost) {
		return fmt.Errorf("episode %d: %w", s.Episode, err)
	}
	record := rundir.Failure{
		Episode: s.Episode, Step: s.Number, Error: err.Error(), Seed: r.cfg.Seed, Dropout: s.Dropout, Dataset: r.data.Name, DataHash: r.data.Hash,
	}
	var names []string
	for _, ep := range s.Tasks {
		name := r.episodes.data.Tasks[ep.Task].Name
		names = append(names, name)
		record.Tasks = append(record.Tasks, rundir.FailureTask{
			Task: name, Support: ep.Support, SupportLabels: numbers(ep.SupportLabels), Query: ep.Query, QueryLabels: numbers(ep.QueryLabels),
		})
	}
	if errors.Is(err, ops.ErrNotFinite) {
		err = fmt.Errorf("%w; the model was not changed. --resume would come to the same step: "+
			"begin again in another --out with a smaller train.learning_rate, or without these tasks", err)
	}
	path := filepath.Join(r.dir, rundir.FailureFile)
	err = fmt.Errorf("episode %d (%s): %w; the episode is in %s", s.Episode, strings.Join(names, ", "), evaluate.Advised(err), path)
	return errors.Join(err, record.Write(r.dir))
}

// numbers converts labels to int, because JSON writes []uint8 as base64.
func numbers(labels []uint8) []int {
	return each.As[int](labels)
}

// reportFailure logs a warning if the run failed earlier at a step that is still to come.
// The step is drawn again unchanged, and usually fails again.
func (r *run) reportFailure() {
	f, known := rundir.ReadFailure(r.dir)
	if !known || max(f.Step, f.Episode) <= r.progress.steps() {
		return
	}
	slog.Warn("the run broke off before, and comes to the same step again; where that fails again, begin in another --out with a smaller train.learning_rate, or without these tasks",
		"episode", f.Episode, "error", f.Error, "file", filepath.Join(r.dir, rundir.FailureFile))
}
