package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"pacia/internal/badinput"
	"pacia/internal/safetensors"
	"pacia/run/rundir"
)

// source is a run and the hash of its training data.
type source struct{ dir, hash string }

// sameData returns an error for a run that was trained on a different file with the same name as an earlier
// one: their figures must not be in the same table.
func sameData(first map[string]source, run rundir.Run) error {
	hash, err := dataHash(filepath.Join(run.Dir, rundir.BestFile))
	if err != nil || hash == "" {
		return err
	}
	before, ok := first[run.Summary.Dataset]
	if !ok {
		first[run.Summary.Dataset] = source{run.Dir, hash}
		return nil
	}
	if before.hash != hash {
		return &badinput.Error{File: run.Dir, What: fmt.Sprintf("the run was trained on another file called %s than %s", run.Summary.Dataset, before.dir), Fix: "report on them apart"}
	}
	return nil
}

// dataHash returns the hash of the data on which a checkpoint was trained; empty if there is no
// checkpoint.
func dataHash(path string) (string, error) {
	f, err := safetensors.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", &badinput.Error{File: path, What: "the checkpoint cannot be read", Err: err, Fix: "remove it to report without it, or leave the run out"}
	}
	defer f.Close()
	var meta struct {
		Hash string `json:"data_sha256"`
	}
	err = json.Unmarshal([]byte(f.Metadata["run"]), &meta)
	return meta.Hash, err
}
