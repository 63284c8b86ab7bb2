package fsmol

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/data/workers"
	"pacia/internal/badinput"
)

// folderData has the tasks of a folder, and each molecule once, for all tasks that
// measured it.
type folderData struct {
	store  *molecule.Store
	smiles []string    // [n] of the store's molecules
	tasks  []data.Task // in the order of the files
	split  data.Split
}

// files are the task files of a folder.
type files struct {
	paths []string
	parts [3][]int // indices into paths, for training, validation and testing
}

func findFiles(dir string) (f files, err error) {
	folds, err := findFolds(dir)
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

// file is the result of reading a task file.
type file struct {
	molecules []Molecule
	err       error
}

// read reads task files over several goroutines, and adds them in order. It returns the error of the
// first file that has one. At most one file for each goroutine is in memory. After ctx is done, it
// returns without waiting for the goroutines.
func (f files) read(ctx context.Context, threads int, fingerprints bool) (*folderData, error) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	paths := f.paths
	d := &folderData{store: molecule.NewStore(nil), split: data.Split{Train: f.parts[0], Valid: f.parts[1], Test: f.parts[2]}}
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
				molecules, err := readTask(ctx, path)
				files[i] <- file{molecules, err}
			}()
		}
	}()
	rows := make(map[string]int32)
	for i, path := range paths {
		var f file
		select {
		case f = <-files[i]:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if err := ctx.Err(); err != nil {
			return nil, err // both channels were ready
		}
		if f.err != nil {
			return nil, f.err
		}
		if err := d.add(path, f.molecules, rows, fingerprints); err != nil {
			return nil, err
		}
		<-places
		workers.Report(ctx, "files", i+1, len(paths))
	}
	return d, nil
}

// add adds a task with a file's molecules. rows has the rows of known molecules by their
// SMILES. If only some molecules have fingerprints, add returns an error: a model would read the others as molecules
// without any environment.
func (d *folderData) add(path string, molecules []Molecule, rows map[string]int32, fingerprints bool) error {
	t := data.Task{Name: TaskName(path)}
	for i := range molecules {
		m := &molecules[i]
		row, known := rows[m.SMILES]
		if !known {
			if !fingerprints {
				m.Fingerprint = nil
			}
			given := d.store.Fingerprints().Len() > 0 // of the molecules before
			if d.store.Len() > 0 && given != (m.Fingerprint != nil) {
				what := "has no fingerprints, those before it have some"
				if !given {
					what = "has fingerprints, those before it have none"
				}
				return &badinput.Error{File: path, What: fmt.Sprintf("molecule %d, %s, %s", i+1, m.SMILES, what),
					Fix: "write them for all molecules: pacia data convert makes CSV files, and of these task files with fingerprints"}
			}
			row = int32(d.store.Len())
			rows[m.SMILES] = row
			d.smiles = append(d.smiles, m.SMILES)
			m.addTo(d.store)
		}
		t.Rows, t.Labels = append(t.Rows, row), append(t.Labels, m.Label)
	}
	d.tasks = append(d.tasks, t)
	return nil
}

// addTo appends the molecule to a store. Its bonds are in the order single, double, triple, and those of one
// type are in the order of the file. Either all molecules of a store have fingerprints, or none.
func (m *Molecule) addTo(s *molecule.Store) {
	var ends []int32
	var types []uint8
	for t, list := range m.Graph.Bonds {
		for _, atom := range list {
			ends = append(ends, int32(atom))
		}
		types = append(types, slices.Repeat([]uint8{uint8(t)}, len(list)/2)...)
	}
	s.AddFeatures(m.Graph.Atoms, Features, ends, types)
	if m.Fingerprint != nil {
		s.Fingerprints().AddCounts(m.Fingerprint)
	}
}
