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

// Progress is the progress of a run.
type Progress struct {
	Episode int
	Figure  *float64 // of the last evaluation by the run's metric, on the test tasks or else the validation tasks; nil before the first
}

// A Follower reads the metrics of a run repeatedly. Each time it reads only new lines.
type Follower struct {
	Dir string // of the run

	at   int64
	last Progress
}

// Progress returns the progress of the run, or zero without a run.
func (f *Follower) Progress() Progress {
	file, err := input.Open(context.Background(), filepath.Join(f.Dir, MetricsFile), input.Regular, 0)
	if err != nil {
		return f.last
	}
	defer file.Close()
	// A resumed run removes the lines of the steps that it repeats.
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
		entry := Evaluation{Episode: -1} // a step has only the first field
		if json.Unmarshal(line, &entry) != nil || entry.Episode < 0 {
			continue // Read reports it for a finished run; the line of the selected model has no episode
		}
		f.last.Episode = entry.Episode
		if figure := cmp.Or(entry.TestFigure(), entry.ValidationFigure()); figure != nil {
			f.last.Figure = figure
		}
	}
}
