package fsmol

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"pacia/data"
	"pacia/internal/badinput"
)

// Dataset is the tasks of a folder, each molecule once, however many tasks
// measured it.
type Dataset struct {
	Store              *Store
	Tasks              []data.Task // rows of the store, in the order of the files
	Train, Valid, Test []int       // numbers of Tasks
}

// Options say how a folder is opened.
type Options struct {
	Folds                         string // JSON list of the tasks; empty: fsmol-0.1.json of the folder, or else all of its files
	Threads                       int    // goroutines that read; 0: one for each core
	NoFingerprints, NoDescriptors bool   // leave them out
}

// Open reads the tasks of a folder with train/, valid/ and test/. Errors are
// those of the first file, in the order of the list, that has one.
func Open(ctx context.Context, dir string, opt Options) (*Dataset, error) {
	f, err := findFiles(dir, opt.Folds)
	if err != nil {
		return nil, err
	}
	d := &Dataset{Train: f.parts[0], Valid: f.parts[1], Test: f.parts[2]}
	return d, d.read(ctx, f.paths, opt)
}

// files are those of the tasks of a folder.
type files struct {
	paths []string
	parts [3][]int // for training, validation, testing: numbers of paths
}

// findFiles finds the files of the tasks that a list names, or without one those
// of findFolds.
func findFiles(dir, list string) (f files, err error) {
	folds, err := findFolds(dir)
	if list != "" {
		folds, err = ReadFolds(list)
	}
	if err != nil {
		return f, err
	}
	for i, names := range folds.parts() {
		for _, name := range *names {
			path := filepath.Join(dir, folders[i], strings.TrimSuffix(name, suffix)+suffix)
			if !exists(path) {
				return f, &badinput.Error{File: path, What: "the list of tasks names it, but it is not there",
					Fix: "fetch it, or take the task off the list"}
			}
			f.parts[i] = append(f.parts[i], len(f.paths))
			f.paths = append(f.paths, path)
		}
	}
	return f, nil
}

// file is what reading a task file gave.
type file struct {
	molecules []Molecule
	err       error
}

// read reads task files over several goroutines, and adds them in order.
// As many are in memory as there are goroutines. Once ctx is done, it returns without
// waiting for those.
func (d *Dataset) read(ctx context.Context, paths []string, opt Options) error {
	threads := opt.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	files := make([]chan file, len(paths))
	for i := range files {
		files[i] = make(chan file, 1)
	}
	places := make(chan struct{}, threads)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for i, path := range paths {
			select {
			case places <- struct{}{}:
			case <-stop:
				return
			}
			go func() {
				molecules, err := ReadTask(ctx, path)
				files[i] <- file{molecules, err}
			}()
		}
	}()
	d.Store = newStore()
	rows := make(map[string]int32)
	for i, path := range paths {
		var f file
		select {
		case f = <-files[i]:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := ctx.Err(); err != nil {
			return err // both were ready
		}
		if f.err != nil {
			return f.err
		}
		if err := d.add(path, f.molecules, rows, opt); err != nil {
			return err
		}
		<-places
		data.Report(ctx, "files", i+1, len(paths))
	}
	return nil
}

// add makes a task of a file's molecules. rows are those of the molecules that
// are there already.
func (d *Dataset) add(path string, molecules []Molecule, rows map[string]int32, opt Options) error {
	width := len(molecules[0].Descriptors)
	if len(d.Tasks) == 0 && !opt.NoDescriptors {
		d.Store.width = width
	}
	if !opt.NoDescriptors && width != d.Store.width {
		return &badinput.Error{File: path, What: fmt.Sprintf("%d descriptors a molecule, while task %s has %d", width, d.Tasks[0].Name, d.Store.width),
			Fix: "take all files from one release"}
	}
	t := data.Task{Name: TaskName(path)}
	for i := range molecules {
		m := &molecules[i]
		row, known := rows[m.SMILES]
		if !known {
			if opt.NoFingerprints {
				m.Fingerprint = nil
			}
			if opt.NoDescriptors {
				m.Descriptors = nil
			}
			row = int32(d.Store.Len())
			rows[m.SMILES] = row
			d.Store.add(m)
		}
		t.Rows, t.Labels = append(t.Rows, row), append(t.Labels, m.Label)
	}
	d.Tasks = append(d.Tasks, t)
	return nil
}
