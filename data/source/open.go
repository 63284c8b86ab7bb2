package source

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"

	"pacia/data"
	"pacia/data/assay"
	"pacia/data/label"
	"pacia/data/molecule"
	"pacia/data/note"
	"pacia/data/replicates"
	"pacia/data/split"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// Options are the options for opening a data set.
type Options struct {
	table.Options // how the file is read

	Cache      string              // folder of the graph stores; empty: "pacia" in the user's cache folder
	Threads    int                 // goroutines that parse; 0: one for each core
	Featurizer molecule.Featurizer // the representation of molecules
	Labels     label.Settings      // which columns are tasks, and what is active in them; empty: all columns, with 0 and 1
	Redraw     Redraw              // changes the drawings of molecules after Rows, with Every
	Rows       Rows                // the molecules of the rows of a table; zero value: one for each row, as it is drawn
	Every      bool                // every assay of a table, also of one with a row for each measurement, with its measured values; Rows merges
}

// Redraw returns molecules in other drawings, such as those that a model knows. The name states which.
type Redraw struct {
	Name     string
	Drawings func(ctx context.Context, smiles []string) []string
}

// reader is the version of the code that reads files. Another version may read the same file differently.
const reader = "reader 5"

// Open opens a file in the layout of MoleculeNet, in any format that package table
// reads, or [data.Embedded].
// It reads the graphs from the graph store, or builds the store if it does not exist.
// If the folder cannot be written to, Open logs a warning and keeps the data set in
// memory.
//
// Molecules that RDKit refuses are left out and listed in Skipped. Open calls the
// Progress of ctx. After ctx is done, it returns the context's error.
func Open(ctx context.Context, path string, opt Options) (*data.Dataset, error) {
	src, err := openSource(ctx, path)
	if err != nil {
		return nil, err
	}
	opt.SMILES = cmp.Or(opt.SMILES, "smiles")
	of := fmt.Sprintf("%s, column %q", reader, opt.SMILES)
	if opt.Delimiter+opt.Encoding+opt.Sheet != "" || opt.Header != 0 {
		of += fmt.Sprintf(", read as %q %q %q %d", opt.Delimiter, opt.Encoding, opt.Sheet, opt.Header)
	}
	if opt.Labels != (label.Settings{}) {
		of += fmt.Sprintf(", labels %#v", opt.Labels)
	}
	if opt.Rows != (Rows{}) {
		of += fmt.Sprintf(", %#v 1", opt.Rows)
	}
	if opt.Every {
		of += ", every assay 1" + opt.Redraw.Name
	}
	d, err := opt.Stored(src.name, src.hash, of, func() (*data.Dataset, error) { return build(ctx, src, opt) })
	if err != nil {
		return nil, err
	}
	note.Tell(ctx, src.path, d.Notes)
	return d, nil
}

// Stored returns the data set in the graph store. If the store does not exist or is
// damaged, Stored calls build and writes the result to the store. The key of a store is
// made from hash, which identifies the source; how, which describes the way in which it
// is read; and the name of the Featurizer.
func (o Options) Stored(name, hash, how string, build func() (*data.Dataset, error)) (*data.Dataset, error) {
	key := storeKey(hash, how+o.Featurizer.Name)
	file, err := storePath(o.Cache, name, key)
	if err == nil {
		if d := findStored(file, key); d != nil {
			d.Name, d.Hash = name, hash
			return d, nil
		}
	}
	d, buildErr := build()
	if buildErr != nil {
		return nil, buildErr
	}
	d.Name, d.Hash, d.Stored = name, hash, data.Stored{Built: true}
	for i := range d.Tasks {
		d.Tasks[i].SortClasses()
	}
	if err == nil {
		err = writeStore(file, key, d)
	}
	if err != nil {
		slog.Warn("no graph store: the molecules will be parsed again next time", "reason", err)
		return d, nil
	}
	return reopened(d, file, key), nil
}

// reopened replaces the graphs in memory by those in the file just written. The system can
// page them out and read them again.
func reopened(d *data.Dataset, file string, key storeID) *data.Dataset {
	stored, err := readStore(file, key)
	if err != nil {
		slog.Warn("the graph store cannot be read back", "file", file, "reason", err)
		return d
	}
	stored.Name, stored.Hash, stored.Stored.Built = d.Name, d.Hash, true
	return stored
}

// build reads the table and parses its molecules.
func build(ctx context.Context, src *source, opt Options) (*data.Dataset, error) {
	by, err := opt.Labels.Parse()
	if err != nil {
		return nil, err
	}
	rows, err := table.New(src.path, bytes.NewReader(src.content), opt.Options)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	t, err := assay.Read(ctx, rows, assay.Options{Labels: by, Every: opt.Every})
	if err != nil {
		return nil, err
	}
	smiles := slices.Clone(t.SMILES)
	for i := range t.Reasons {
		smiles[i] = "" // a row that cannot be read: its cells may be shifted
	}
	var repeated []int32
	if opt.Every {
		var first []int32
		repeated, first = replicates.Group(smiles) // a long table repeats its molecules often
		smiles = each.At(smiles, first)
	}
	names := each.Of(t.Tasks, func(v assay.Task) string { return v.Name })
	molecules, err := opt.Rows.Distinguish(ctx, smiles, split.IsPublished(src.hash, names), opt.Threads)
	if err != nil {
		return nil, err
	}
	if opt.Redraw.Drawings != nil {
		molecules.SMILES = opt.Redraw.Drawings(ctx, molecules.SMILES)
	}
	s, index, errs := opt.Featurizer.ParseSMILES(ctx, molecules.SMILES, opt.Threads)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	index, errs = molecules.Spread(index, errs)
	if opt.Every {
		index, errs = each.At(index, repeated), each.At(errs, repeated)
	}
	d := &data.Dataset{Store: s, Notes: NotesOf(t)}
	for i, err := range errs {
		if t.Reasons[i] != nil {
			err = t.Reasons[i]
		}
		if err != nil {
			d.Skipped = append(d.Skipped, data.Skipped{Row: t.Lines[i], SMILES: t.SMILES[i], Reason: err.Error()})
		}
	}
	if s.Len() == 0 {
		first := d.Skipped[0]
		return nil, &badinput.Error{File: src.path, Row: first.Row, Column: t.Column,
			What: fmt.Sprintf("none of the %d molecules can be parsed, the first because: %s", len(t.SMILES), first.Reason),
			Fix:  "check that the column holds SMILES"}
	}
	if opt.Every {
		d.Tasks = orders(t.Tasks, index, s.Len())
		d.Notes = append(d.Notes, molecules.Changed()...)
		return d, nil
	}
	for i := range t.Tasks {
		d.Tasks = append(d.Tasks, taskOf(&t.Tasks[i], index))
	}
	d.Notes = append(d.Notes, molecules.Merge(d.Tasks, Repeats(index))...)
	return d, nil
}

// taskOf converts a task of a table to rows of a store. index [n] is the row of each molecule, or −1
// for a molecule that is not in the store and is left out.
func taskOf(t *assay.Task, index []int32) data.Task {
	kept := data.Task{Name: t.Name}
	for i, row := range t.Rows {
		if index[row] >= 0 {
			kept.Rows, kept.Labels = append(kept.Rows, index[row]), append(kept.Labels, t.Labels[i])
		}
	}
	return kept
}

// NotesOf returns the notes of a table, and of the tasks that have a rule, notes or cells left out.
func NotesOf(a *assay.Assay) (lines []string) {
	for _, n := range a.Notes {
		lines = append(lines, n.String())
	}
	for i := range a.Tasks {
		t := &a.Tasks[i]
		if a.Every {
			break // the notes of the file are of all
		}
		if t.Rule != nil || len(t.Unlabelled)+len(t.Notes) > 0 {
			lines = append(lines, "task "+t.Name+": "+t.String())
		}
	}
	return lines
}
