package report

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/input"
)

// manifestFile lists the files that a report has written into its folder. A later
// report into the same folder removes those that it does not write again. It never changes other
// files in the folder.
const manifestFile = "report.manifest.json"

// A manifest lists the files of a report.
type manifest struct {
	About string          `json:"about"`
	Files []manifestEntry `json:"files"`
}

// manifestEntry is a file of a report.
type manifestEntry struct {
	Name   string `json:"name"` // path in the folder, with slashes
	SHA256 string `json:"sha256"`
}

const aboutManifest = "The files that pacia report wrote here. The next report removes those of them that it does not write again, if they are unchanged."

// output is a file to write.
type output struct {
	name string
	text []byte
}

// CheckFolder returns a *badinput.Error if a report in dir would overwrite a file that no report wrote, as far as
// the names of its files are known before anything is drawn.
func (r *Report) CheckFolder(dir string) error {
	old, err := readManifest(dir)
	if err != nil {
		return err
	}
	for _, f := range r.texts() {
		if err := notOthers(dir, f.name, old); err != nil {
			return err
		}
	}
	return nil
}

// notOthers returns a *badinput.Error if dir has a file of this name that is not as a report wrote it.
func notOthers(dir, name string, old []manifestEntry) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	text, err := input.ReadAll(context.Background(), path, input.Regular, maxOutput)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || (err == nil && slices.Contains(old, entryOf(output{name, text}))) {
		return nil
	}
	return &badinput.Error{File: path, What: "would be overwritten by the report; it is not as a report wrote it",
		Fix: "choose another folder with --out, or move the file"}
}

func entryOf(o output) manifestEntry {
	return manifestEntry{o.name, fmt.Sprintf("%x", sha256.Sum256(o.text))}
}

// replace writes files into dir, and removes files of an earlier report that are not among them. It writes nothing
// if it would overwrite a file that no report wrote. A manifest of both sets of files is written first, and the
// final one last: after any failure in between, the next report can remove all of them.
func replace(dir string, all []output) error {
	old, err := readManifest(dir)
	if err != nil {
		return err
	}
	files := each.Of(all, entryOf)
	both := slices.Concat(old, files)
	for _, f := range files {
		if err := notOthers(dir, f.Name, both); err != nil {
			return err
		}
	}
	if err := writeManifest(dir, both); err != nil {
		return err
	}
	var failed []error
	for _, o := range all {
		path := filepath.Join(dir, filepath.FromSlash(o.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return &badinput.Error{What: "cannot make the folder of the report", Err: err, Fix: "choose another with --out"}
		}
		failed = append(failed, writeFile(path, o.text))
	}
	for _, e := range old {
		kept := slices.ContainsFunc(files, func(f manifestEntry) bool { return f.Name == e.Name })
		if !kept {
			failed = append(failed, e.remove(dir))
		}
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	return writeManifest(dir, files)
}

// remove removes a file of an earlier report, unless it has been changed.
func (e manifestEntry) remove(dir string) error {
	if !filepath.IsLocal(filepath.FromSlash(e.Name)) {
		return nil // not written by a report
	}
	path := filepath.Join(dir, filepath.FromSlash(e.Name))
	if target, err := filepath.EvalSymlinks(filepath.Dir(path)); err != nil || !within(dir, target) {
		return nil //nolint:nilerr // a symbolic link leads out of the folder
	}
	text, err := input.ReadAll(context.Background(), path, input.Regular, maxOutput)
	if err != nil {
		return nil //nolint:nilerr // it was removed, or replaced by something else
	}
	if entryOf(output{e.Name, text}) != e {
		return nil
	}
	return os.Remove(path)
}

// within reports whether target, a path without symbolic links, is dir or in dir.
func within(dir, target string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	relative, err := filepath.Rel(dir, target)
	return err == nil && filepath.IsLocal(relative)
}

// maxOutput is the maximum size of a report's file in bytes; a larger file was not written by a report.
const maxOutput = 1 << 30

// readManifest returns the files of an earlier report, nil if there was none.
func readManifest(dir string) ([]manifestEntry, error) {
	path := filepath.Join(dir, manifestFile)
	text, err := input.ReadAll(context.Background(), path, input.Regular, 64<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var m manifest
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err == nil && m.About != aboutManifest {
		err = errors.New("no report wrote it")
	}
	if err != nil {
		return nil, &badinput.Error{File: path, What: "cannot be understood: it lists the files of an earlier report", Err: err, Fix: "remove it, or choose another folder with --out"}
	}
	return m.Files, nil
}

func writeManifest(dir string, files []manifestEntry) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return &badinput.Error{What: "cannot make the folder of the report", Err: err, Fix: "choose another with --out"}
	}
	return atomicfile.WriteJSON(filepath.Join(dir, manifestFile), manifest{aboutManifest, files})
}
