package fsmol

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"

	"pacia/data"
	"pacia/data/label"
	"pacia/data/source"
	"pacia/internal/badinput"
	"pacia/internal/input"
)

// OpenFolder opens a folder of task files, or of CSV files in train/, valid/ and test/, as a data set
// with these folds as its split. With [Featurizer], molecules of task files have the graphs and
// fingerprints of the files. With others, RDKit makes them from the SMILES. The graph
// store and ctx are used as by source.Open.
func OpenFolder(ctx context.Context, dir string, opt source.Options) (*data.Dataset, error) {
	f, tables, err := dataFiles(dir)
	if err != nil {
		return nil, err
	}
	if tables {
		return openTables(ctx, dir, f, opt)
	}
	if opt.Labels != (label.Settings{}) {
		return nil, &badinput.Error{File: dir, What: "task files already have labels", Fix: "leave out data.label, data.active_below and the like"}
	}
	for _, line := range withoutEffect(opt) {
		slog.Warn(dir + ": " + line)
	}
	hash, err := f.hash(ctx, opt.Threads)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(filepath.Clean(dir))
	how, fingerprints := "task files", opt.Featurizer.Features && opt.Featurizer.Fingerprints
	if fingerprints {
		how += " 2" // version 1 also kept molecules without fingerprints
	}
	return opt.Stored(name, hash, how, func() (*data.Dataset, error) {
		d, err := f.read(ctx, opt.Threads, fingerprints)
		if err != nil {
			return nil, err
		}
		if opt.Featurizer.Features {
			for _, m := range opt.Featurizer.Makers {
				m.Fill(ctx, d.store, d.smiles, opt.Threads)
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return d.features(name), nil
		}
		return d.parsed(ctx, name, opt)
	})
}

// Hash returns the hash of a folder for [OpenFolder], of all its files.
func Hash(ctx context.Context, dir string, threads int) (string, error) {
	f, _, err := dataFiles(dir)
	if err != nil {
		return "", err
	}
	return f.hash(ctx, threads)
}

// dataFiles returns the CSV files of a folder or, without these, its task files.
func dataFiles(dir string) (f files, tables bool, err error) {
	if f, err = find(dir, ".csv", ".csv.gz"); err != nil {
		return f, false, err
	}
	own, err := find(dir, suffix)
	switch {
	case err != nil:
		return f, false, err
	case len(own.paths) > 0 && len(f.paths) > 0:
		what := fmt.Sprintf("the folder has task files and CSV files, such as %s and %s", own.paths[0], f.paths[0])
		return f, false, &badinput.Error{File: dir, What: what,
			Fix: "keep files of one kind there; pacia data convert makes one of the other"}
	case len(f.paths) > 0:
		return f, true, nil
	}
	f, err = findFiles(dir)
	return f, false, err
}

// Tables reports whether a data set's folder has CSV files, and not task files.
func Tables(dir string) (bool, error) {
	_, tables, err := dataFiles(dir)
	return tables, err
}

// withoutEffect returns a warning for each kind of option that has no effect on task files, in which each line has
// a molecule as it is drawn, with its label. Runs of earlier versions may have these options, and go on.
func withoutEffect(o source.Options) (lines []string) {
	const convert = "; pacia data convert makes CSV files of them, for which it has"
	if o.Rows.Molecules == source.RowsParents {
		lines = append(lines, "molecules of task files are as they are drawn: data.molecules="+source.RowsParents+" has no effect"+convert)
	}
	if o.Rows.Repeats == source.RowsMerge {
		lines = append(lines, "each line of a task file counts: data.repeats="+source.RowsMerge+" has no effect"+convert)
	}
	if o.Delimiter+o.Encoding+o.Sheet != "" || o.Header != 0 || o.SMILES != "" && o.SMILES != "smiles" {
		lines = append(lines, "task files are not tables: data.smiles, data.delimiter, data.encoding, data.sheet and data.header have no effect")
	}
	return lines
}

// hash returns the SHA-256 of all files, with their names and parts.
func (f *files) hash(ctx context.Context, threads int) (string, error) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	sums := make([][]byte, len(f.paths))
	var group errgroup.Group
	group.SetLimit(threads)
	for i, path := range f.paths {
		group.Go(func() (err error) {
			if err := ctx.Err(); err != nil {
				return err
			}
			sums[i], err = hashFile(ctx, path)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return "", err
	}
	all := sha256.New()
	for part, numbers := range f.parts {
		for _, i := range numbers {
			_, _ = fmt.Fprintf(all, "%s/%s %x\n", folders[part], TaskName(f.paths[i]), sums[i]) // never fails
		}
	}
	return fmt.Sprintf("%x", all.Sum(nil)), nil
}

func hashFile(ctx context.Context, path string) ([]byte, error) {
	f, err := input.Open(ctx, path, input.Regular, maxTask)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}

// features returns the data set with the files' own graphs.
func (d *folderData) features(name string) *data.Dataset {
	return &data.Dataset{Name: name, Store: d.store, Tasks: d.tasks, Folds: &d.split, Stored: data.Stored{Built: true}}
}

// parsed returns the data set with molecules that opt.Featurizer makes from the SMILES.
// Molecules that RDKit refuses are left out and listed.
func (d *folderData) parsed(ctx context.Context, name string, opt source.Options) (*data.Dataset, error) {
	store, index, errs := opt.Featurizer.ParseSMILES(ctx, d.smiles, opt.Threads)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	of := &data.Dataset{Name: name, Store: store, Folds: &d.split, Stored: data.Stored{Built: true}}
	for i, err := range errs {
		if err != nil {
			of.Skipped = append(of.Skipped, data.Skipped{SMILES: d.smiles[i], Reason: err.Error()})
		}
	}
	for i := range d.tasks {
		of.Tasks = append(of.Tasks, measured(&d.tasks[i], index))
	}
	return of, nil
}
