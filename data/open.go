package data

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"

	"pacia/data/assay"
	"pacia/data/label"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// Options say how a data set is opened.
type Options struct {
	table.Options // how the file is read

	Cache      string         // folder of the graph stores; empty: "pacia" in the user's cache folder
	Threads    int            // goroutines that parse; 0: one for each core
	Featurizer Featurizer     // what the molecules are made into
	Labels     label.Settings // which columns are tasks, and what is active in them; empty: every one, with 0 and 1
	Rows       Rows           // which molecules the rows of a table are; the zero value: each its own, as it is drawn
}

// reader is of what a store was made: another one may read the same file otherwise.
const reader = "reader 3"

// Embedded is the path that names the data set inside the program.
const Embedded = "embedded"

// Open opens a file in the layout of MoleculeNet, in any form that package table
// reads, or [Embedded].
// Graphs come from the graph store where it holds them, and go there where it
// does not. Where the folder cannot be written to, a warning is logged and the
// data set lives in memory.
//
// Molecules that RDKit refuses are left out and listed in Skipped. A Progress of
// ctx is told of those parsed; once ctx is done, its error is returned.
func Open(ctx context.Context, path string, opt Options) (*Dataset, error) {
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
	d, err := opt.Stored(src.name, src.hash, of, func() (*Dataset, error) { return build(ctx, src, opt) })
	if err != nil {
		return nil, err
	}
	for _, line := range d.Told {
		slog.Info(src.path + ": " + line)
	}
	return d, nil
}

// Stored returns the data set that the graph store holds, or has it built and
// keeps it there. Stores are told apart by the hash of what the data set is made
// of, by how that is read, and by the form of its molecules.
func (o Options) Stored(name, hash, how string, build func() (*Dataset, error)) (*Dataset, error) {
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
	d.Name, d.Hash, d.Stored = name, hash, Stored{Built: true}
	for i := range d.Tasks {
		d.Tasks[i].sortClasses()
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

// reopened exchanges the graphs in memory for those just written, which the
// system may drop and read again as it likes.
func reopened(d *Dataset, file string, key storeID) *Dataset {
	stored, err := readStore(file, key)
	if err != nil {
		slog.Warn("the graph store cannot be read back", "file", file, "reason", err)
		return d
	}
	stored.Name, stored.Hash, stored.Stored.Built = d.Name, d.Hash, true
	return stored
}

// build reads the table and parses its molecules.
func build(ctx context.Context, src *source, opt Options) (*Dataset, error) {
	by, err := opt.Labels.Parse()
	if err != nil {
		return nil, err
	}
	rows, err := table.New(src.path, bytes.NewReader(src.content), opt.Options)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	t, err := assay.Read(ctx, rows, assay.Options{Labels: by})
	if err != nil {
		return nil, err
	}
	smiles := slices.Clone(t.SMILES)
	for i := range t.Reasons {
		smiles[i] = "" // its cells are not what they seem
	}
	names := each.Of(t.Tasks, func(v assay.Task) string { return v.Name })
	molecules, err := opt.Rows.Distinguish(ctx, smiles, isPublished(src.hash, names), opt.Threads)
	if err != nil {
		return nil, err
	}
	s, index, errs := opt.Featurizer.ParseSMILES(ctx, molecules.SMILES, opt.Threads)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	index, errs = molecules.Spread(index, errs)
	d := &Dataset{Store: s, Told: told(t)}
	for i, err := range errs {
		if t.Reasons[i] != nil {
			err = t.Reasons[i]
		}
		if err != nil {
			d.Skipped = append(d.Skipped, Skipped{Row: t.Lines[i], SMILES: t.SMILES[i], Reason: err.Error()})
		}
	}
	if s.Len() == 0 {
		first := d.Skipped[0]
		return nil, &badinput.Error{File: src.path, Row: first.Row, Column: t.Column,
			What: fmt.Sprintf("none of the %d molecules can be parsed, the first because: %s", len(t.SMILES), first.Reason),
			Fix:  "check that the column holds SMILES"}
	}
	for i := range t.Tasks {
		d.Tasks = append(d.Tasks, taskOf(&t.Tasks[i], index))
	}
	d.Told = append(d.Told, molecules.Merge(d.Tasks)...)
	return d, nil
}

// taskOf returns a task of a table over rows of a store, without the molecules that are not
// there: index [n] is the row of each, or −1.
func taskOf(t *assay.Task, index []int32) Task {
	kept := Task{Name: t.Name}
	for i, row := range t.Rows {
		if index[row] >= 0 {
			kept.Rows, kept.Labels = append(kept.Rows, index[row]), append(kept.Labels, t.Labels[i])
		}
	}
	return kept
}

// told are the notes of a table, and of tasks about which there is something to be told.
func told(a *assay.Assay) (lines []string) {
	for _, n := range a.Notes {
		lines = append(lines, n.String())
	}
	for i := range a.Tasks {
		t := &a.Tasks[i]
		if t.Rule != nil || len(t.Left)+len(t.Notes) > 0 {
			lines = append(lines, "task "+t.Name+": "+t.String())
		}
	}
	return lines
}
