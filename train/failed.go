package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"pacia/evaluate"
	"pacia/internal/atomicfile"
	"pacia/internal/each"
	"pacia/internal/input"
	"pacia/ops"
	"pacia/run/rundir"
)

// failed writes a step that could not be made to failed-episode.json and adds the path to
// the error. If the device was lost, the step is not the cause and is not written.
func (r *run) failed(s step, err error) error {
	if errors.Is(err, ops.ErrDeviceLost) {
		return fmt.Errorf("episode %d: %w", s.Episode, err)
	}
	type task struct {
		Task          string  `json:"task"`
		Support       []int32 `json:"support_rows"` // numbers of molecules in the data set, counted from 0
		SupportLabels []int   `json:"support_labels"`
		Query         []int32 `json:"query_rows"`
		QueryLabels   []int   `json:"query_labels"`
	}
	record := struct {
		Episode  int    `json:"episode"`
		Step     int    `json:"step"`
		Error    string `json:"error"`
		Seed     uint64 `json:"seed"`
		Dropout  uint64 `json:"dropout"`
		Dataset  string `json:"dataset"`
		DataHash string `json:"data_sha256"`
		Tasks    []task `json:"tasks"`
	}{s.Episode, s.Number, err.Error(), r.cfg.Seed, s.Dropout, r.data.Name, r.data.Hash, nil}
	var names []string
	for _, ep := range s.Tasks {
		name := r.episodes.data.Tasks[ep.Task].Name
		names = append(names, name)
		record.Tasks = append(record.Tasks, task{name, ep.Support, numbers(ep.SupportLabels), ep.Query, numbers(ep.QueryLabels)})
	}
	path := filepath.Join(r.dir, rundir.FailureFile)
	if errors.Is(err, ops.ErrNotFinite) {
		err = fmt.Errorf("%w; the model was not changed. --resume would come to the same step: "+
			"begin again in another --out with a smaller train.learning_rate, or without these tasks", err)
	}
	err = fmt.Errorf("episode %d (%s): %w; the episode is in %s", s.Episode, strings.Join(names, ", "), evaluate.Advised(err), path)
	return errors.Join(err, atomicfile.WriteJSON(path, record))
}

// numbers converts labels to int, because JSON writes []uint8 as base64.
func numbers(labels []uint8) []int {
	return each.As[int](labels)
}

// reportFailure logs a warning if the run failed earlier at a step that is still to come.
// The step is drawn again unchanged, and usually fails again.
func (r *run) reportFailure() {
	path := filepath.Join(r.dir, rundir.FailureFile)
	text, err := input.ReadAll(context.Background(), path, input.Regular, maxFailure)
	var known struct {
		Episode int
		Step    int
		Error   string
	}
	if err != nil || json.Unmarshal(text, &known) != nil || max(known.Step, known.Episode) <= r.progress.steps() {
		return
	}
	slog.Warn("the run broke off before, and comes to the same step again; where that fails again, begin in another --out with a smaller train.learning_rate, or without these tasks",
		"episode", known.Episode, "error", known.Error, "file", path)
}

// maxFailure is the size in bytes of the largest failed-episode.json that is read.
const maxFailure = 64 << 20

// forgetFailure removes the record of a failed step that has been made since.
func (r *run) forgetFailure() error {
	err := os.Remove(filepath.Join(r.dir, rundir.FailureFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
