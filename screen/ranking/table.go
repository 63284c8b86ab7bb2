package ranking

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"pacia/data/note"
	"pacia/data/standard"
	"pacia/data/table"
	"pacia/internal/each"
)

// Options say how files are read.
type Options struct {
	table.Options

	Stdin    io.Reader        // what the path "-" stands for
	Standard standard.Options // what the model sees of a molecule
	Repeats  string           // Merge or Keep, of labelled molecules; empty: Merge
	Most     int              // labelled molecules; 0: any number
	Wanted   Wanted           // which rows are left out, and columns that are made
	Ranked   bool             // the names of the columns that a ranked table gets must be free
	Numbers  bool             // that also has columns of predicted values
	Extra    []string         // names of more columns that it gets
}

// A Table is one or more files of molecules, read one after the other as one. It has the
// columns of all of them; those that a file lacks are empty in its rows.
type Table struct {
	Header []string // grows while SD files are read
	SMILES int      // column of the molecules, from 0
	Names  int      // column of their names; −1: none has them
	Column string   // the name of the molecules' column

	options         Options
	files           []*tableFile
	current         int
	source          int         // column of the files' names; −1: there is one file
	described, made int         // first column that is made of molecules, and how many are
	conditions      []condition // on the cells of a row
	checked         int         // columns
}

// A tableFile is one file of a table.
type tableFile struct {
	*table.Reader
	columns []int // of the table, one for each of the file's

	limited    bool // to some of its rows:
	skip, left int64
}

// A Row is one record of a table.
type Row struct {
	File   string // it is from
	Line   int    // where it begins in the file, from 1; in SD files the record, in workbooks the row
	Fields []string

	SMILES string          // what is to be parsed, once Prepare has run
	Reason error           // why there is none
	Change standard.Change // of the SMILES, since it was drawn

	block string // of an SD file, from which the SMILES is made
}

// A Source is a file that is open already, with the name that faults call it by.
type Source struct {
	Name string
	Text io.Reader // closed by nobody
}

// Open reads the headers of files, which are read until ctx ends. Errors about them are
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

// append takes in one file more, and closes it in the end.
func (t *Table) append(r *table.Reader) {
	f := &tableFile{Reader: r}
	t.files = append(t.files, f)
	if len(t.files) > 1 {
		t.extend(f)
		return
	}
	t.Header, t.SMILES, t.Names, t.Column = r.Header, r.SMILES, r.Names, r.Header[r.SMILES]
	for i := range r.Header {
		f.columns = append(f.columns, i)
	}
}

// extend finds or makes the table's columns for those of a file that it does not know
// yet.
func (t *Table) extend(f *tableFile) {
	for i := len(f.columns); i < len(f.Header) && len(t.Header) <= mostColumns; i++ {
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

// add appends a column. Where one has its name, it gets a number.
func (t *Table) add(name string) int {
	unique := name
	for n := 2; table.Column(t.Header, unique) >= 0; n++ {
		unique = fmt.Sprintf("%s_%d", name, n)
	}
	t.Header = append(slices.Clip(t.Header), unique)
	return len(t.Header) - 1
}

// Notes are those of each file.
func (t *Table) Notes() []FileNotes {
	return each.Of(t.files, func(f *tableFile) FileNotes { return FileNotes{f.Name, f.Understood()} })
}

// FileNotes are the notes of one file.
type FileNotes struct {
	File  string
	Notes []note.Note
}

// Missed reports whether no file has the column of molecules that was named.
func (t *Table) Missed() bool {
	return !slices.ContainsFunc(t.files, func(f *tableFile) bool { return !f.Missed })
}

// NameOf returns the compound's name in the fields of a row, in one line; empty where it has none.
func (t *Table) NameOf(fields []string) string {
	if t.Names < 0 || t.Names >= len(fields) {
		return ""
	}
	return table.OneLine(fields[t.Names])
}

// Files are the names of the files.
func (t *Table) Files() []string {
	return each.Of(t.files, func(f *tableFile) string { return f.Name })
}

// Several reports whether there are several files.
func (t *Table) Several() bool { return len(t.files) > 1 }

// Close closes the files.
func (t *Table) Close() error {
	errs := each.Of(t.files, func(f *tableFile) error { return f.Close() })
	return errors.Join(errs...)
}

// Next returns the next row, or io.EOF. Its fields may be fewer than the header has;
// those that lack are empty.
func (t *Table) Next() (Row, error) {
	for t.current < len(t.files) {
		f := t.files[t.current]
		if f.limited && f.skip+f.left == 0 {
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
			t.Header = f.Header // an SD file has got another column
		}
		if f.skip > 0 {
			if err := t.check(); err != nil {
				return Row{}, err
			}
			f.skip--
			continue
		}
		f.left--
		return row, t.check()
	}
	return Row{}, io.EOF
}

// Prepare finds what is to be parsed. It takes time, and several goroutines may do it
// for rows of their own.
func (t *Table) Prepare(ctx context.Context, r *Row) {
	if r.Reason != nil {
		return
	}
	cells := table.Row{Fields: r.Fields, Block: r.block}
	if r.Reason = cells.Resolve(ctx, t.SMILES); r.Reason != nil {
		return
	}
	r.SMILES, r.Change, r.Reason = t.options.Standard.Molecule(ctx, strings.TrimSpace(r.Fields[t.SMILES]))
}

// CellsOf returns the cells of a ranked row.
func CellsOf(r Ranked) ([]string, error) { return table.ParseLine(r.Line) }

// Parsed returns what was parsed of a ranked row.
func (t *Table) Parsed(ctx context.Context, r Ranked) (string, error) {
	fields, err := CellsOf(r)
	if err != nil || t.SMILES >= len(fields) {
		return "", err
	}
	row := Row{Fields: fields}
	t.Prepare(ctx, &row)
	return row.SMILES, row.Reason
}
