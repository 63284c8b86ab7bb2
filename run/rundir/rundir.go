package rundir

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"pacia/internal/badinput"
	"pacia/internal/input"
)

// Files that a run leaves in its folder.
const (
	ConfigFile       = "config.yaml"         // the effective settings
	MetricsFile      = "metrics.jsonl"       // a JSON object per step and per evaluation
	LastFile         = "last.ckpt"           // the file that a resumed run continues from
	BestFile         = "best.ckpt"           // the selected model, without its optimiser
	SummaryFile      = "summary.json"        // a Summary, or a ReplicaSummary, after the last episode
	SupervisedFolder = "supervised"          // files of the supervised steps before the first episode
	FailureFile      = "failed-episode.json" // the step at which a run failed
)

// Files lists them.
var Files = []string{LastFile, BestFile, MetricsFile, ConfigFile, SummaryFile, SupervisedFolder, FailureFile}

// Replica returns the folder of the replica with that seed in dir.
func Replica(dir string, seed uint64) string {
	return filepath.Join(dir, fmt.Sprintf("%s%d", replicaPrefix, seed))
}

const replicaPrefix = "seed-"

// A Run is a finished run.
type Run struct {
	Dir         string
	Settings    Settings
	Summary     Summary
	Evaluations []Evaluation // in the order of their episodes
	Losses      []Loss       // of the steps, in their order
}

// Loss is the loss of one training step.
type Loss struct {
	Episode int
	Loss    float64
}

// Read reads the run in dir. A missing or unfinished run is a *badinput.Error with
// advice.
func Read(dir string) (Run, error) {
	r := Run{Dir: dir}
	text, err := readFile(dir, ConfigFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) && missing(dir):
		return r, &badinput.Error{File: dir, What: "the run has not begun",
			Fix: "give the command again that made the others, or leave it out with --skip-unfinished"}
	case errors.Is(err, fs.ErrNotExist):
		return r, &badinput.Error{File: dir, What: "is not the folder of a run: it holds no " + ConfigFile, Fix: "name what pacia train --out or pacia sweep --out made"}
	case err != nil:
		return r, &badinput.Error{File: dir, What: "cannot read the settings of the run", Err: err}
	}
	if r.Settings, err = Flatten(text); err != nil {
		return r, damaged(dir, ConfigFile, err)
	}
	r.Summary, err = ReadSummary(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, r.unfinished()
	case err != nil:
		return r, err
	}
	// A run that was resumed with more episodes still has its old summary.
	if want, err := strconv.Atoi(r.Settings.Get("train.episodes")); err != nil || r.Summary.Episodes < want {
		return r, r.unfinished()
	}
	if err := r.Summary.Seal.check(dir); err != nil {
		return r, err
	}
	err = r.readMetrics(filepath.Join(dir, MetricsFile))
	if err != nil {
		return r, damaged(dir, MetricsFile, err)
	}
	return r, nil
}

// missing reports whether path does not exist.
func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func (r Run) unfinished() error {
	f := Follower{Dir: r.Dir}
	return &badinput.Error{File: r.Dir, What: fmt.Sprintf("the run has not finished: %d of %s episodes", f.Progress().Episode, r.Settings.Get("train.episodes")),
		Fix: "pacia train --resume --out " + badinput.Path(r.Dir) + " continues it; --skip-unfinished leaves it out"}
}

func damaged(dir, file string, err error) error {
	return &badinput.Error{File: filepath.Join(dir, file), What: "cannot be understood", Err: err, Fix: "leave this run out, or train it again"}
}

const (
	// maxFile is the largest size in bytes of a file that is read completely. The summary
	// of a run with 5,000 tasks has 5 MB.
	maxFile = 64 << 20
	// maxLine is the largest length of a line of metrics.jsonl, in bytes.
	maxLine = 8 << 20
)

func readFile(dir, name string) ([]byte, error) {
	return input.ReadAll(context.Background(), filepath.Join(dir, name), input.Regular, maxFile)
}

func (r *Run) readMetrics(path string) error {
	f, err := input.Open(context.Background(), path, input.Regular, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	for lines, row := bufio.NewReaderSize(f, maxLine), 1; ; row++ {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			return nil // the end of the file; an unfinished last line is ignored
		}
		if err != nil {
			return fmt.Errorf("row %d: %w", row, err)
		}
		var entry struct {
			Episode  int      `json:"episode"`
			Loss     *float64 `json:"loss"` // of a step
			AUC      *float64 `json:"auc_test"`
			Queries  *int     `json:"queries"` // of any evaluation
			Selected *int     `json:"selected"`
		}
		if err := json.Unmarshal(line, &entry); err != nil {
			return fmt.Errorf("row %d: %w", row, err)
		}
		switch {
		case entry.Selected != nil:
			continue // the selected model, which is in the summary
		case entry.AUC == nil && entry.Queries == nil:
			if entry.Loss != nil {
				r.Losses = append(r.Losses, Loss{entry.Episode, *entry.Loss})
			}
			continue
		}
		var e Evaluation
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("row %d: %w", row, err)
		}
		r.Evaluations = append(r.Evaluations, e)
	}
}
