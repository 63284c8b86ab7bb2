package fsmol

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pacia/data"
	"pacia/data/assay"
	"pacia/data/note"
	"pacia/data/source"
	"pacia/data/split"
	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/input"
)

// ConvertOptions are the options of FromCSV.
type ConvertOptions struct {
	assay.Options // how files are read

	Split   string // training and test tasks, as for split.Parse
	Valid   int    // training tasks that are held out for validation
	Threads int    // goroutines that parse; 0: one for each core
}

// Converted counts the converted tasks and molecules.
type Converted struct {
	Tasks, Molecules int // measured molecules of all tasks
	Skipped          []Skipped
}

// Skipped is a molecule that was left out.
type Skipped struct {
	File string
	data.Skipped
}

// FromCSV makes a folder of task files from a CSV in the layout of MoleculeNet,
// or from a folder of such files. Files in its folders train, valid and test belong to
// these parts, and opt.Split defines the parts of others. The order of the molecules is
// kept. Molecules that RDKit refuses, and those with more than [MaxAtoms] atoms, are left out
// and listed in left-out.csv of the folder to.
//
// The folder to must be empty or not exist. It appears when everything is written.
func FromCSV(from, to string, opt ConvertOptions) (Converted, error) {
	tables, err := readTables(context.Background(), from, opt.Options) // a signal ends the program
	if err != nil {
		return Converted{}, err
	}
	for _, t := range tables {
		note.Tell(context.Background(), t.File, source.NotesOf(t.Assay))
	}
	parts, err := partTasks(from, tables, opt)
	if err != nil {
		return Converted{}, err
	}
	var done Converted
	err = newFolder(to, func(dir string) error {
		names := make(map[string]string)
		for i, t := range tables {
			c, err := t.convert(dir, parts[i], names, opt.Threads)
			if err != nil {
				return err
			}
			done.Tasks, done.Molecules = done.Tasks+c.Tasks, done.Molecules+c.Molecules
			done.Skipped = append(done.Skipped, c.Skipped...)
		}
		if done.Tasks == 0 {
			return &badinput.Error{File: from, What: "no task with a molecule that can be read", Fix: "check --smiles and --split"}
		}
		return writeSkipped(filepath.Join(dir, "left-out.csv"), done.Skipped)
	})
	return done, err
}

func readTables(ctx context.Context, from string, o assay.Options) ([]*sourceTable, error) {
	info, err := os.Stat(from)
	if err != nil {
		return nil, input.Unreadable(from, err)
	}
	paths, parts := []string{from}, []int{-1}
	if info.IsDir() {
		paths, parts = nil, nil
		for part, folder := range append([]string{"."}, folders[:]...) {
			for _, suffix := range []string{".csv", ".csv.gz"} {
				found, err := withSuffix(filepath.Join(from, folder), suffix)
				if err != nil {
					return nil, err
				}
				paths, parts = append(paths, found...), append(parts, slices.Repeat([]int{part - 1}, len(found))...)
			}
		}
	}
	var tables []*sourceTable
	for i, path := range paths {
		t, err := readTable(ctx, path, o, parts[i])
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	if len(tables) == 0 {
		return nil, &badinput.Error{File: from, What: "no CSV files (*.csv, *.csv.gz)", Fix: "give a CSV, or a folder of them"}
	}
	return tables, nil
}

// partTasks returns the part of each task of each table, by the file's folder or the
// split; −1 for a task in no part.
func partTasks(from string, tables []*sourceTable, opt ConvertOptions) ([][]int, error) {
	parts := make([][]int, len(tables))
	type column struct{ table, task int }
	var open []column
	set := &data.Dataset{Name: tableName(from)}
	for i, t := range tables {
		parts[i] = slices.Repeat([]int{t.part}, len(t.Tasks))
		for j := range t.Tasks {
			if t.part < 0 {
				open = append(open, column{i, j})
				set.Tasks = append(set.Tasks, data.Task{Name: t.Tasks[j].Name})
			}
		}
	}
	if len(open) == 0 {
		return parts, nil
	}
	chosen, err := split.Parse(opt.Split, set)
	if err != nil {
		return nil, err
	}
	train, valid := chosen.Train, []int(nil)
	if opt.Valid > 0 {
		train, valid = split.HoldOut(chosen, opt.Valid, 0, nil)
	}
	for part, numbers := range [][]int{train, valid, chosen.Test} {
		for _, n := range numbers {
			parts[open[n].table][open[n].task] = part
		}
	}
	return parts, nil
}

// convert writes the tasks of a table into a folder. names has the names of files already written, with
// descriptions of their tasks.
func (t *sourceTable) convert(dir string, parts []int, names map[string]string, threads int) (Converted, error) {
	var done Converted
	molecules, errs := t.parse(threads)
	for i, err := range errs {
		if err != nil {
			done.Skipped = append(done.Skipped, Skipped{t.File, data.Skipped{Row: t.Lines[i], SMILES: t.SMILES[i], Reason: err.Error()}})
		}
	}
	for i, task := range t.Tasks {
		if parts[i] < 0 {
			continue
		}
		name := fileName(task.Name)
		if other, ok := names[name]; ok {
			return done, &badinput.Error{File: t.File, Column: task.Name, What: fmt.Sprintf("would be the file %s%s, as %s", name, suffix, other),
				Fix: "rename one of the two"}
		}
		names[name] = fmt.Sprintf("column %s of %s", task.Name, t.File)
		n := 0
		measured := func(yield func(Molecule) bool) {
			for k, row := range task.Rows {
				if errs[row] != nil {
					continue
				}
				m := molecules[row]
				m.Label, m.Assay = task.Labels[k], task.Name
				if n++; !yield(m) {
					return
				}
			}
		}
		if !slices.ContainsFunc(task.Rows, func(row int32) bool { return errs[row] == nil }) {
			continue // a task file without molecules could not be read
		}
		folder := filepath.Join(dir, folders[parts[i]])
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return done, err
		}
		if err := writeTask(filepath.Join(folder, name+suffix), measured); err != nil {
			return done, err
		}
		done.Tasks, done.Molecules = done.Tasks+1, done.Molecules+n
	}
	return done, nil
}

// parse makes the molecules of a table over several goroutines. A molecule that was refused is empty, and
// has an error.
func (t *sourceTable) parse(threads int) ([]Molecule, []error) {
	molecules, errs := make([]Molecule, len(t.SMILES)), make([]error, len(t.SMILES))
	eachParsed(context.Background(), t.SMILES, threads, true, func(i int, m *Molecule, err error) {
		molecules[i], errs[i] = *m, cmp.Or(t.Reasons[i], err)
	})
	return molecules, errs
}

func fileName(task string) string {
	name := strings.NewReplacer("/", "_", "\x00", "_").Replace(task)
	if strings.HasPrefix(name, ".") {
		name = "_" + name[1:]
	}
	return name
}

func newFolder(path string, fill func(dir string) error) error {
	err := atomicfile.NewFolder(path, fill)
	if errors.Is(err, fs.ErrExist) && !badinput.Is(err) {
		return &badinput.Error{File: path, What: "is there already", Fix: "remove it, or name another folder"}
	}
	return err
}
