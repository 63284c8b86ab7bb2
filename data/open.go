package data

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"

	"pacia/data/label"
	tables "pacia/data/table"
	"pacia/internal/badinput"
)

// Options say how a data set is opened.
type Options struct {
	SMILES  string // name of the SMILES column; empty: "smiles"
	Cache   string // folder of the graph stores; empty: "pacia" in the user's cache folder
	Threads int    // goroutines that parse; 0: one for each core
	Form    Form   // what the molecules are made into

	Delimiter, Encoding, Sheet string         // of the file, as in table.Options; empty: told from it
	Labels                     label.Settings // which columns are tasks, and what is active in them; empty: every one, with 0 and 1
}

// reading are the options of the file.
func (o Options) reading() tables.Options {
	return tables.Options{SMILES: o.SMILES, Delimiter: o.Delimiter, Encoding: o.Encoding, Sheet: o.Sheet}
}

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
	if opt.SMILES == "" {
		opt.SMILES = "smiles"
	}
	of := fmt.Sprintf("column %q", opt.SMILES)
	if opt.Delimiter+opt.Encoding+opt.Sheet != "" {
		of += fmt.Sprintf(", read as %q %q %q", opt.Delimiter, opt.Encoding, opt.Sheet)
	}
	if opt.Labels != (label.Settings{}) {
		of += fmt.Sprintf(", labels %q", opt.Labels)
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
	key := storeKey(hash, how+o.Form.Name)
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
	t, err := readTable(src.path, bytes.NewReader(src.content), opt.reading(), by)
	if err != nil {
		return nil, err
	}
	s, index, errs := opt.Form.ParseSMILES(ctx, t.smiles, opt.Threads)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d := &Dataset{Store: s, Tasks: t.tasks, Told: t.told}
	for i, err := range errs {
		if err != nil {
			if t.reasons[i] != nil {
				err = t.reasons[i]
			}
			d.Skipped = append(d.Skipped, Skipped{Row: int(t.line[i]), SMILES: t.smiles[i], Reason: err.Error()})
		}
	}
	if s.Len() == 0 {
		first := d.Skipped[0]
		return nil, &badinput.Error{File: src.path, Row: first.Row, Column: opt.SMILES,
			What: fmt.Sprintf("none of the %d molecules can be parsed, the first because: %s", len(t.smiles), first.Reason),
			Fix:  "check that the column holds SMILES"}
	}
	for i := range d.Tasks {
		d.Tasks[i].renumber(index)
	}
	return d, nil
}

// renumber turns rows of the table into rows of the store and drops the
// molecules that are not there.
func (t *Task) renumber(index []int32) {
	n := 0
	for i, row := range t.Rows {
		if index[row] >= 0 {
			t.Rows[n], t.Labels[n] = index[row], t.Labels[i]
			n++
		}
	}
	t.Rows, t.Labels = t.Rows[:n], t.Labels[:n]
}
