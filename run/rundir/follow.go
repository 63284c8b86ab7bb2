package rundir

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"path/filepath"

	"pacia/internal/input"
)

// Progress is how far a run is.
type Progress struct {
	Episode int
	Figure  *float64 // by the run's metric, on the test tasks or else the validation tasks, at the last evaluation; nil: there was none
}

// A Follower looks at the metrics of a run again and again, and reads only what
// is new.
type Follower struct {
	Dir string // of the run

	at   int64
	last Progress
}

// Look returns how far the run is: nowhere, where there is none.
func (f *Follower) Look() Progress {
	file, err := input.Open(context.Background(), filepath.Join(f.Dir, MetricsFile), input.Regular, 0)
	if err != nil {
		return f.last
	}
	defer file.Close()
	// A run that is taken up again cuts what it will repeat.
	if file.Size < f.at {
		f.at, f.last = 0, Progress{}
	}
	text, err := io.ReadAll(io.NewSectionReader(file, f.at, 1<<62-f.at))
	if err != nil {
		return f.last
	}
	for {
		line, rest, whole := bytes.Cut(text, []byte{'\n'})
		if !whole {
			return f.last
		}
		f.at += int64(len(line)) + 1
		text = rest
		entry := Evaluation{Episode: -1} // or a step, which has its first field alone
		if json.Unmarshal(line, &entry) != nil || entry.Episode < 0 {
			continue // the reader of a finished run complains; the line of the selected model has no episode
		}
		f.last.Episode = entry.Episode
		if figure := cmp.Or(entry.TestFigure(), entry.ValidationFigure()); figure != nil {
			f.last.Figure = figure
		}
	}
}
