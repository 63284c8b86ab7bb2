package fsmol

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/input"
)

// ManifestFile lists the tables that this program wrote into a folder of results, with their digests. By it a later
// test knows which files it may replace, and a reader finds tables that were changed or lost.
const ManifestFile = "results.manifest.json"

// SummaryFile is the table of all tasks.
const SummaryFile = "summary.csv"

// manifest has the digests of all contents that a table may have, by its name. There are two while it is replaced.
type manifest map[string][]string

// readManifest reads the manifest of a folder. One without it has none of our tables.
func readManifest(dir string) (manifest, error) {
	m := manifest{}
	path := filepath.Join(dir, ManifestFile)
	err := atomicfile.ReadSealed(path, &m)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return manifest{}, nil
	case err != nil:
		return nil, &badinput.Error{File: path, What: "cannot be used", Err: err, Fix: "write another folder, or remove the file"}
	}
	return m, nil
}

func digest(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

// put writes a table into a folder. The manifest has its digest before the table is there: after a kill in between,
// the table may still be replaced.
func put(dir, name string, text []byte) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	path, sum := filepath.Join(dir, name), digest(text)
	if old, err := os.ReadFile(path); err == nil && digest(old) != sum && slices.Contains(m[name], digest(old)) {
		m[name] = []string{digest(old), sum}
	} else {
		m[name] = []string{sum}
	}
	if err := atomicfile.WriteSealed(filepath.Join(dir, ManifestFile), m); err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, text)
}

func putRows(dir, name string, fill func(*csv.Writer) error) error {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	if err := fill(w); err != nil {
		return err
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return put(dir, name, text.Bytes())
}

// written returns an error if a file is there and is not as this program wrote it.
func (m manifest) written(dir, name string) error {
	path := filepath.Join(dir, name)
	text, err := input.ReadAll(context.Background(), path, input.Regular, largestRecord)
	if errors.Is(err, fs.ErrNotExist) || err == nil && slices.Contains(m[name], digest(text)) {
		return nil
	}
	return &badinput.Error{File: path, What: "would be overwritten, and is not as pacia eval wrote it",
		Fix: "write another --results, or move the file away"}
}

// CheckOutputs returns a *badinput.Error if the results of tasks would overwrite, in a folder, an input, or a file that
// this program did not write or that was changed since. Against is the input, a table, a folder or empty.
func CheckOutputs(dir string, tasks []string, against string) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	for _, name := range outputs(tasks) {
		path := filepath.Join(dir, name)
		if atomicfile.Same(path, against) || atomicfile.Same(path, filepath.Join(against, name)) {
			what := fmt.Sprintf("--results %s would overwrite %s, which --against reads", dir, path)
			return &badinput.Error{What: what, Fix: "write another --results"}
		}
		if err := m.written(dir, name); err != nil {
			return err
		}
	}
	return nil
}

func outputs(tasks []string) []string {
	names := []string{SummaryFile}
	for _, task := range tasks {
		names = append(names, fileName(task)+resultsSuffix)
	}
	return names
}

// check returns a *badinput.Error if a table of a folder with a manifest was changed or is missing.
func (m manifest) check(dir string) error {
	for name, sums := range m {
		path := filepath.Join(dir, name)
		text, err := input.ReadAll(context.Background(), path, input.Regular, largestRecord)
		if err != nil || !slices.Contains(sums, digest(text)) {
			return &badinput.Error{File: path, What: "is not as pacia eval wrote it", Err: err,
				Fix: "test again with --results, or remove " + ManifestFile + " to read the tables as they are"}
		}
	}
	return nil
}
