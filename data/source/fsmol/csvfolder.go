package fsmol

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pacia/data"
	"pacia/data/assay"
	"pacia/data/note"
	"pacia/data/source"
	"pacia/data/workers"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// find finds the files in a folder's train/, valid/ and test/ whose names end in one of the suffixes.
func find(dir string, suffixes ...string) (files, error) {
	var f files
	for part, folder := range folders {
		for _, suffix := range suffixes {
			found, err := withSuffix(filepath.Join(dir, folder), suffix)
			if err != nil {
				return f, err
			}
			for _, path := range found {
				f.parts[part] = append(f.parts[part], len(f.paths))
				f.paths = append(f.paths, path)
			}
		}
	}
	return f, nil
}

// openTables opens a folder of CSV files, in which each column other than that of the SMILES
// is a task. Each molecule is parsed once, for all tasks that measured it. Molecules that
// cannot be parsed are left out and listed.
func openTables(ctx context.Context, dir string, f files, opt source.Options) (*data.Dataset, error) {
	hash, err := f.hash(ctx, opt.Threads)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(filepath.Clean(dir))
	by, err := opt.Labels.Parse()
	if err != nil {
		return nil, err
	}
	read := assay.Options{Options: opt.Options, Labels: by}
	how := fmt.Sprintf("CSV files, reader 5, %q, labels %q", fmt.Sprint(opt.Options), fmt.Sprint(opt.Labels))
	if opt.Rows != (source.Rows{}) {
		how += fmt.Sprintf(", %#v 1", opt.Rows)
	}
	d, err := opt.Stored(name, hash, how, func() (*data.Dataset, error) {
		var all joined
		for part, numbers := range f.parts {
			for _, i := range numbers {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if err := all.add(ctx, f.paths[i], part, read); err != nil {
					return nil, err
				}
				workers.Report(ctx, "files", i+1, len(f.paths))
			}
		}
		return all.parse(ctx, name, opt)
	})
	if err != nil {
		return nil, err
	}
	note.Tell(ctx, dir, d.Notes)
	return d, nil
}

// joined joins the tables of a folder.
type joined struct {
	smiles []string
	rows   map[string]int32 // of smiles
	first  []origin         // [len(smiles)]
	tasks  []data.Task
	files  map[string]string // of the tasks' names
	split  data.Split

	skipped  []data.Skipped // rows and molecules that cannot be read
	lost     origin         // of the first of them
	why      error          // that it cannot be read
	notes    []string       // the assumptions by which the files were read
	fileRows [][]int32      // of each file: its rows in smiles, -1 for one that cannot be read
}

// origin is the first place of a molecule in the files.
type origin struct {
	file   string
	line   int
	column string
}

func (all *joined) add(ctx context.Context, path string, part int, o assay.Options) error {
	t, err := readTable(ctx, path, o, part)
	if err != nil {
		return err
	}
	if all.rows == nil {
		all.rows, all.files = make(map[string]int32), make(map[string]string)
	}
	for _, line := range source.NotesOf(t.Assay) {
		all.notes = append(all.notes, filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path)+": "+line)
	}
	own := make([]int32, len(t.SMILES))
	for i, smiles := range t.SMILES {
		if reason := t.Reasons[i]; reason != nil {
			own[i] = -1 // its cells may be shifted
			all.skip(origin{path, t.Lines[i], t.Column}, smiles, reason)
			continue
		}
		row, known := all.rows[smiles]
		if !known {
			row = int32(len(all.smiles))
			all.rows[smiles] = row
			all.smiles, all.first = append(all.smiles, smiles), append(all.first, origin{path, t.Lines[i], t.Column})
		}
		own[i] = row
	}
	all.fileRows = append(all.fileRows, own)
	numbers := [3]*[]int{&all.split.Train, &all.split.Valid, &all.split.Test}[part]
	for _, task := range t.Tasks {
		if other, known := all.files[task.Name]; known {
			return &badinput.Error{File: path, Column: task.Name, What: "a task of this name is in " + other, Fix: "rename one of the two"}
		}
		all.files[task.Name] = path
		*numbers = append(*numbers, len(all.tasks))
		all.tasks = append(all.tasks, measured(&data.Task{Name: task.Name, Rows: task.Rows, Labels: task.Labels}, own))
	}
	return nil
}

// skip lists a row that is left out.
func (all *joined) skip(at origin, smiles string, reason error) {
	if len(all.skipped) == 0 {
		all.lost, all.why = at, reason
	}
	all.skipped = append(all.skipped, data.Skipped{Row: at.line, SMILES: smiles,
		Reason: fmt.Sprintf("%s: %v", strings.TrimSuffix(filepath.Base(at.file), ".gz"), reason)})
}

func (all *joined) parse(ctx context.Context, name string, opt source.Options) (*data.Dataset, error) {
	molecules, err := opt.Rows.Distinguish(ctx, all.smiles, false, opt.Threads)
	if err != nil {
		return nil, err
	}
	store, index, errs := opt.Featurizer.ParseSMILES(ctx, molecules.SMILES, opt.Threads)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	index, errs = molecules.Spread(index, errs)
	d := &data.Dataset{Name: name, Store: store, Folds: &all.split, Stored: data.Stored{Built: true}}
	for i, err := range errs {
		if err != nil {
			all.skip(all.first[i], all.smiles[i], err)
		}
	}
	d.Skipped = all.skipped
	if store.Len() == 0 {
		return nil, &badinput.Error{File: all.lost.file, Row: all.lost.line, Column: all.lost.column,
			What: fmt.Sprintf("none of the folder's %d molecules can be parsed, the first because: %v", len(all.skipped), all.why),
			Fix:  "check that the column holds SMILES"}
	}
	for i := range all.tasks {
		d.Tasks = append(d.Tasks, measured(&all.tasks[i], index))
	}
	repeats := 0
	for _, file := range all.fileRows {
		repeats += source.Repeats(each.Of(file, func(at int32) int32 {
			if at < 0 {
				return at
			}
			return index[at]
		}))
	}
	d.Notes = slices.Concat(all.notes, molecules.Merge(d.Tasks, repeats))
	return d, nil
}

// measured returns a task whose rows are renumbered by index, without those for which it is −1.
func measured(t *data.Task, index []int32) data.Task {
	kept := data.Task{Name: t.Name}
	for i, row := range t.Rows {
		if index[row] >= 0 {
			kept.Rows, kept.Labels = append(kept.Rows, index[row]), append(kept.Labels, t.Labels[i])
		}
	}
	return kept
}
