package ranking

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/data/note"
	"pacia/data/rdkit"
	"pacia/data/standard"
	"pacia/data/table"
	"pacia/internal/each"
)

// Options control how files are read.
type Options struct {
	table.Options

	Stdin       io.Reader        // the file named "-"
	Standard    standard.Options // the form in which the model reads a molecule
	Repeats     string           // treatment of repeated labelled molecules, Merge or Keep; empty: Merge, if no column tells them apart
	Named       bool             // conditions on rows are for the file, by its name
	Results     bool             // labelled molecules are later results, which may all be of one class
	MaxLabelled int              // maximum number of labelled molecules; 0: no limit
	Decimal     string           // the sign before decimals in the columns of conditions; empty: found in the cells
	Wanted      Wanted           // which rows are left out, and which columns are computed
	Ranked      bool             // the names of the columns that a ranked table adds must be free
	Numbers     bool             // the ranked table also has columns of predicted values
	Past        bool             // the ranked table has the columns of past assays
	Extra       []string         // names of further columns of the ranked table
}

// A Table is one or more files of molecules, which are read one after the other. It has the
// columns of all files; columns that a file lacks are empty in its rows.
type Table struct {
	Header []string // grows while SD files are read
	SMILES int      // column of the molecules, from 0
	Names  int      // column of the compounds' names; −1 if no file has one
	Column string   // name of the molecules' column

	options             Options
	files               []*tableFile
	current             int
	source              int               // column of the files' names; −1 with a single file
	described, computed int               // index of the first computed column, and the number of computed columns
	conditions          []label.Condition // on the cells of a row
	checked             int               // number of columns whose names were checked
}

// A tableFile is one file of a table.
type tableFile struct {
	*table.Reader
	columns []int // the table's column for each column of the file

	checkedColumns int      // number of columns whose names were checked
	renamed        []string // names that the ranked table needs for its own columns

	limited         bool  // only some rows are read:
	skip, remaining int64 // number of rows to skip, and then to read
}

// A Row is one record of a table.
type Row struct {
	File   string
	Line   int // where it begins in the file, from 1; in SD files the record, in workbooks the row
	Fields []string

	SMILES string          // to be parsed; set by Prepare
	Parent string          // the same in the drawing of the file
	Reason error           // the reason for which there is no SMILES
	Change standard.Change // from the molecule as drawn to SMILES
	Lost   rdkit.Lost      // stereochemistry that a molblock does not tell

	semicolons bool // between the cells of the file

	block string // molblock of an SD file, from which the SMILES is made
}

// A Source is an open file, with its name for errors.
type Source struct {
	Name string
	Text io.Reader // is not closed
}

// Open opens files and reads their headers. The files can be read until ctx ends. Errors about them are
// *badinput.Error.
func Open(ctx context.Context, paths []string, o Options) (*Table, error) {
	return open(len(paths), o, func(i int) (*table.Reader, error) { return table.Open(ctx, paths[i], o.Stdin, o.Options) })
}

// New is Open of sources.
func New(sources []Source, o Options) (*Table, error) {
	return open(len(sources), o, func(i int) (*table.Reader, error) { return table.New(sources[i].Name, sources[i].Text, o.Options) })
}

func open(files int, o Options, file func(i int) (*table.Reader, error)) (*Table, error) {
	t := &Table{options: o, Names: -1, source: -1}
	for i := range files {
		r, err := file(i)
		if err != nil {
			return nil, errors.Join(err, t.Close())
		}
		t.append(r)
		if err := t.check(); err != nil {
			return nil, errors.Join(err, t.Close())
		}
	}
	if t.Several() {
		t.source = t.add("file")
	}
	if err := errors.Join(t.describe(), t.check()); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// append adds a file, which Close closes.
func (t *Table) append(r *table.Reader) {
	f := &tableFile{Reader: r}
	t.files = append(t.files, f)
	if len(t.files) > 1 {
		t.extend(f)
		return
	}
	t.rename(f)
	t.Header, t.SMILES, t.Names, t.Column = r.Header, r.SMILES, r.Names, r.Header[r.SMILES]
	for i := range r.Header {
		f.columns = append(f.columns, i)
	}
}

// extend finds, or adds, the table's columns for new columns of a file.
func (t *Table) extend(f *tableFile) {
	t.rename(f)
	for i := len(f.columns); i < len(f.Header) && len(t.Header) <= MostColumns; i++ {
		at := t.SMILES
		if i != f.SMILES {
			at = table.Column(t.Header, f.Header[i])
		}
		if at < 0 || i != f.SMILES && (at == t.SMILES || t.given(at)) || slices.Contains(f.columns, at) {
			at = t.add(f.Header[i])
		}
		if i == f.Names && t.Names < 0 {
			t.Names = at
		}
		f.columns = append(f.columns, at)
	}
}

// add appends a column and returns its index. If the name is taken, it gets a number.
func (t *Table) add(name string) int {
	unique := name
	for n := 2; table.Column(t.Header, unique) >= 0; n++ {
		unique = fmt.Sprintf("%s_%d", name, n)
	}
	t.Header = append(slices.Clip(t.Header), unique)
	return len(t.Header) - 1
}

// Notes returns the notes about each file.
func (t *Table) Notes() []FileNotes {
	return each.Of(t.files, func(f *tableFile) FileNotes { return FileNotes{f.Name, append(f.Understood(), f.renamedNotes()...)} })
}

// FileNotes are the notes about one file.
type FileNotes struct {
	File  string
	Notes []note.Note
}

// Missed reports whether every file lacks the named column of molecules.
func (t *Table) Missed() bool {
	return !slices.ContainsFunc(t.files, func(f *tableFile) bool { return !f.Missed })
}

// Name returns the compound's name in a ranked row, in one line; empty if it has none.
func (t *Table) Name(cells Cells) string {
	if t.Names < 0 {
		return ""
	}
	return table.OneLine(cells.At(t.Names))
}

// NameOf returns the compound's name from the fields of a row, in one line; empty if it has none.
func (t *Table) NameOf(fields []string) string {
	if t.Names < 0 || t.Names >= len(fields) {
		return ""
	}
	return table.OneLine(fields[t.Names])
}

// Drawn reports whether molecules are read as they are drawn.
func (t *Table) Drawn() bool { return t.options.Standard.Drawn }

// Files returns the names of the files.
func (t *Table) Files() []string {
	return each.Of(t.files, func(f *tableFile) string { return f.Name })
}

// Several reports whether there are several files.
func (t *Table) Several() bool { return len(t.files) > 1 }

// Grows reports whether the header may grow while rows are read: records of SD files have fields of their own.
func (t *Table) Grows() bool {
	return slices.ContainsFunc(t.files, func(f *tableFile) bool { return f.Form == table.SDFile })
}

// Close closes the files.
func (t *Table) Close() error {
	errs := each.Of(t.files, func(f *tableFile) error { return f.Close() })
	return errors.Join(errs...)
}

// Next returns the next row, or io.EOF. A row may have fewer fields than the header: the others
// are empty.
func (t *Table) Next() (Row, error) {
	for t.current < len(t.files) {
		f := t.files[t.current]
		if f.limited && f.skip+f.remaining == 0 {
			t.current++
			continue
		}
		read, err := f.Read()
		if errors.Is(err, io.EOF) && f.limited {
			return Row{}, Changed(f.Name)
		}
		if errors.Is(err, io.EOF) {
			t.current++
			continue
		}
		if err != nil {
			return Row{}, err
		}
		row := Row{File: f.Name, Line: read.Line, Fields: read.Fields, Reason: read.Reason, block: read.Block}
		row.semicolons = f.Separator() == label.Semicolons
		if t.extended() {
			t.extend(f)
			if len(f.columns) < len(read.Fields) {
				return Row{}, t.check()
			}
			row.Fields = make([]string, len(t.Header))
			for i, cell := range read.Fields {
				row.Fields[f.columns[i]] = cell
			}
			if t.source >= 0 {
				row.Fields[t.source] = f.Name
			}
		} else if len(f.Header) > len(t.Header) {
			t.rename(f)
			t.Header = f.Header // a new column of an SD file
		}
		if f.skip > 0 {
			if err := t.check(); err != nil {
				return Row{}, err
			}
			f.skip--
			continue
		}
		f.remaining--
		return row, t.check()
	}
	return Row{}, io.EOF
}

// Prepare sets the SMILES of a row, or the reason for which there is none. It is slow; goroutines may call it
// concurrently for different rows.
func (t *Table) Prepare(ctx context.Context, r *Row) {
	if r.Reason != nil {
		return
	}
	cells := table.Row{Fields: r.Fields, Block: r.block}
	if r.Lost, r.Reason = cells.Resolve(ctx, t.SMILES); r.Reason != nil {
		return
	}
	var m standard.Molecule
	m, r.Reason = t.options.Standard.Read(ctx, strings.TrimSpace(r.Fields[t.SMILES]))
	r.SMILES, r.Parent, r.Change = m.SMILES, m.Parent, m.Change
}

// Molecule returns the SMILES that a model reads of a ranked row, from its cells if they alone were saved.
func (t *Table) Molecule(ctx context.Context, r *Ranked) (string, error) {
	if len(r.Molecule) > 0 {
		return string(r.Molecule), nil
	}
	row := Row{Fields: r.Cells.All(t.SMILES + 1)}
	t.Prepare(ctx, &row)
	return row.SMILES, row.Reason
}
