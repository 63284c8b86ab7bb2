package train

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"pacia/internal/badinput"
	"pacia/metrics"
	"pacia/run/loop"
	"pacia/run/rundir"
)

// metricsLog is metrics.jsonl.
type metricsLog struct{ *loop.Log }

func openMetrics(path string) (*metricsLog, error) {
	l, err := loop.Open(path, false)
	if err != nil {
		return nil, err
	}
	return &metricsLog{l}, nil
}

// An entry holds the fields that are read from a line. A line describes a step, an
// evaluation, or the evaluation of the selected model.
type entry struct {
	Episode  *int
	Step     *int
	Selected *int
	AUCTest  *float64 `json:"auc_test"`
	Queries  *int
}

func (e *entry) steps() int {
	if e.Step != nil {
		return *e.Step
	}
	return *e.Episode
}

// cut removes the lines logged after the checkpoint p, and an unfinished line: a
// resumed run logs those episodes again. A file with other lines, or one that ends
// before the checkpoint, may belong to something else: it is left unchanged and cut
// returns a *badinput.Error. If the checkpoint has a mark, the kept lines must be
// exactly those of the time of the checkpoint.
func (l *metricsLog) cut(p progress) error {
	if _, err := l.Seek(0, io.SeekStart); err != nil {
		return err
	}
	known := io.Reader(l.File)
	if p.Metrics != nil {
		known = io.LimitReader(l.File, p.Metrics.Bytes) // the rest is removed
	}
	var keep, at int64
	reached, row := 0, 0
	for lines := bufio.NewReader(known); ; {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // a line without an end was not finished
		}
		if err != nil {
			return err
		}
		at, row = at+int64(len(line)), row+1
		var e entry
		if err := json.Unmarshal(line, &e); err != nil || e.Episode == nil && e.Selected == nil {
			return &badinput.Error{File: l.Name(), Row: row, What: "is not a line that a run writes", Err: err,
				Fix: "the file is damaged or of something else: put back that of the run, or write another --out"}
		}
		if e.Episode == nil || e.steps() > p.steps() {
			continue
		}
		if !e.agrees(p.Last) {
			return l.foreign(fmt.Sprintf("row %d has another result than the checkpoint", row))
		}
		reached, keep = e.steps(), at
	}
	if reached < p.steps() {
		return l.foreign(fmt.Sprintf("it ends with step %d, the checkpoint with %d", reached, p.steps()))
	}
	return l.Cut(keep, p.Metrics)
}

// agrees reports whether the entry has the result of the checkpoint's last evaluation. It is
// true of all entries other than that evaluation.
func (e *entry) agrees(last *rundir.Evaluation) bool {
	if last == nil || e.AUCTest == nil || e.Queries == nil || *e.Episode != last.Episode {
		return true
	}
	return *e.AUCTest == last.TestMean.Value(metrics.NameROCAUC) && *e.Queries == last.Queries
}

func (l *metricsLog) foreign(why string) error {
	return &badinput.Error{File: l.Name(), What: "is not of the run that would be resumed: " + why,
		Fix: "put back that of the run, or write another --out"}
}
