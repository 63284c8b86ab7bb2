package rundir

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/input"
)

// A Failure describes a step that could not be made.
type Failure struct {
	Episode  int           `json:"episode"`
	Step     int           `json:"step"`
	Error    string        `json:"error"`
	Seed     uint64        `json:"seed"`
	Dropout  uint64        `json:"dropout"`
	Dataset  string        `json:"dataset"`
	DataHash string        `json:"data_sha256"`
	Tasks    []FailureTask `json:"tasks"`
	Seal     string        `json:"sha256"` // of the file, with zeros in place of this value
}

// FailureTask is a task of the step.
type FailureTask struct {
	Task          string  `json:"task"`
	Support       []int32 `json:"support_rows"` // numbers of molecules in the data set, counted from 0
	SupportLabels []int   `json:"support_labels"`
	Query         []int32 `json:"query_rows"`
	QueryLabels   []int   `json:"query_labels"`
}

// Write writes a failure to the folder of a run. A file of somebody else there is a *badinput.Error.
func (f Failure) Write(dir string) error {
	path := filepath.Join(dir, FailureFile)
	if _, err := os.Lstat(path); err == nil {
		if _, known := ReadFailure(dir); !known {
			return &badinput.Error{File: path, What: "is not as a run wrote it, and stays", Fix: "move it away"}
		}
	}
	f.Seal = unsealed
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	text, _ = sealed(append(text, '\n'))
	return atomicfile.WriteBytes(path, text)
}

// ReadFailure returns the failure in the folder of a run. Known is false if there is none, or a file that Write did not
// write.
func ReadFailure(dir string) (f Failure, known bool) {
	text, err := input.ReadAll(context.Background(), filepath.Join(dir, FailureFile), input.Regular, maxFailure)
	known = err == nil && json.Unmarshal(text, &f) == nil && checkSeal(text, f.Seal) == nil
	return f, known
}

// maxFailure is the size in bytes of the largest file that is read.
const maxFailure = 64 << 20

// ForgetFailure removes the failure from the folder of a run. A file that Write did not write stays.
func ForgetFailure(dir string) error {
	if _, known := ReadFailure(dir); !known {
		return nil
	}
	err := os.Remove(filepath.Join(dir, FailureFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
