package train

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"pacia/durable"
	"pacia/evaluate"
	"pacia/ops"
	"pacia/rundir"
)

// failed leaves a step that could not be made on the disk and says where, unless
// the step is not to blame.
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
		Error    string `json:"error"`
		Seed     uint64 `json:"seed"`
		Dropout  uint64 `json:"dropout"`
		Dataset  string `json:"dataset"`
		DataHash string `json:"data_sha256"`
		Tasks    []task `json:"tasks"`
	}{s.Episode, err.Error(), r.cfg.Seed, s.Dropout, r.data.Name, r.data.Hash, nil}
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
	return errors.Join(err, durable.WriteJSON(path, record))
}

// numbers keeps labels from being written as base64.
func numbers(labels []uint8) []int {
	list := make([]int, len(labels))
	for i, l := range labels {
		list[i] = int(l)
	}
	return list
}
