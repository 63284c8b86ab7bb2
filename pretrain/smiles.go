package pretrain

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pacia/data"
	"pacia/data/assay"
	"pacia/data/embedded"
	"pacia/data/table"
	"pacia/data/workers"
	"pacia/internal/badinput"
)

// reader collects molecules.
type reader struct {
	options table.Options
	labels  bool // whether other columns are read

	smiles []string
	at     []origin
	assays []string
	number map[string]int32 // of assays
	marks  []mark
}

// origin is the first place of a molecule.
type origin struct {
	file string // "" if there is only one file
	line int
	why  error // why it cannot be used; nil if unknown
}

func (r *reader) from(ctx context.Context, path string) error {
	files, err := inFolder(path)
	if err != nil {
		return err
	}
	for i, file := range files {
		if err := r.file(ctx, file, filepath.Base(file)); err != nil {
			return err
		}
		workers.Report(ctx, "files", i+1, len(files))
	}
	if files != nil {
		return nil
	}
	return r.file(ctx, path, "")
}

// tables are the extensions of files that are read from a folder.
var tables = []string{".csv", ".tsv", ".smi", ".sdf", ".xlsx"}

// inFolder lists the tables of a folder, or of its train/. It returns nil if path is not a folder.
func inFolder(path string) ([]string, error) {
	if info, err := os.Stat(path); path == data.Embedded || err != nil || !info.IsDir() {
		return nil, nil //nolint:nilerr // opening the file reports the error
	}
	for _, dir := range []string{filepath.Join(path, "train"), path} {
		entries, err := os.ReadDir(dir)
		if err != nil && dir == path {
			return nil, &badinput.Error{File: path, What: "cannot be read", Err: err, Fix: "check the folder"}
		}
		var list []string
		for _, e := range entries {
			name := strings.TrimSuffix(strings.ToLower(e.Name()), ".gz")
			for _, ending := range tables {
				if strings.HasSuffix(name, ending) && !e.IsDir() {
					list = append(list, filepath.Join(dir, e.Name()))
				}
			}
		}
		if list != nil {
			return list, nil
		}
	}
	return nil, &badinput.Error{File: path, What: "the folder holds no tables (" + strings.Join(tables, ", ") + ")", Fix: "name a file, or convert task files with pacia data convert"}
}

// nameOf returns the name of a file without folder and extensions.
func nameOf(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return name
}

// file reads one file. A column named "label" takes the name of the file.
func (r *reader) file(ctx context.Context, path, name string) error {
	o := assay.Options{Options: r.options, Unlabeled: !r.labels, Called: nameOf(path)}
	var a *assay.Assay
	var err error
	if path == data.Embedded {
		var t *table.Reader
		if t, err = table.New(path, bytes.NewReader(embedded.CSV()), o.Options); err == nil {
			defer t.Close()
			a, err = assay.Read(ctx, t, o)
		}
	} else {
		a, err = assay.Open(ctx, path, nil, o)
	}
	if err != nil {
		return err
	}
	first := int32(len(r.smiles))
	r.smiles = append(r.smiles, a.SMILES...)
	for i, line := range a.Lines {
		r.at = append(r.at, origin{name, line, a.Reasons[i]})
	}
	if r.labels {
		return r.addTable(a, first)
	}
	return nil
}

// reason explains why a molecule cannot be used, and names its file.
func (r *reader) reason(i int, err error) string {
	if r.at[i].why != nil {
		err = r.at[i].why
	}
	if r.at[i].file == "" {
		return err.Error()
	}
	return fmt.Sprintf("%s: %v", r.at[i].file, err)
}
