package table

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/data/note"
	"pacia/data/rdkit"
	"pacia/internal/input"
)

// sample is how much of a text is looked at before it is read.
const sample = 1 << 18

// A Reader reads the rows of a file. It serves one goroutine.
type Reader struct {
	Name   string   // of the file, for faults
	Header []string // names of the columns; that of an SD file grows as it is read
	SMILES int      // number of the molecules' column; −1 where there is none
	Names  int      // of the column with the compounds' names; −1 where there is none
	Comma  rune     // between cells of a table
	Form   Form
	Notes  []note.Note // what was assumed, beyond a table with commas in UTF-8
	Missed bool        // the column that was named is not there, and Elsewhere allowed it

	HeaderLine int // row of the header, from 1; 0: there is none

	file  io.Closer // nil where Open did not open it
	rows  rows
	latin *guess // what was told of the encoding so far
	plain *plain // nil where rows cannot be found but by reading
}

// A Form is a kind of file.
type Form string

// The forms.
const (
	Table    Form = "table"
	List     Form = "list"
	SDFile   Form = "SD file"
	Workbook Form = "workbook"
)

// rows are what the kinds of files have in common. next fills row but for what the
// Reader knows, or returns io.EOF; errors are *badinput.Error.
type rows interface {
	next(r *Reader, row *Row) error
	close() error
}

// A Row is one molecule.
type Row struct {
	Line   int      // of the file, from 1; in an SD file the number of the record, in a workbook that of the row
	Fields []string // at most as many as the header has; those that lack are empty
	Block  string   // the molblock, to be made a SMILES of; empty in other files than SD files
	Reason error    // why its cells cannot be used: they are more or fewer than those of the header
}

// Understood are the notes of what was read so far.
func (r *Reader) Understood() []note.Note {
	if r.latin != nil && r.latin.used {
		return append(slices.Clone(r.Notes), note.Note{Text: "Latin-1 (Windows-1252)", Switch: "--encoding"})
	}
	return r.Notes
}

// Separator is what stands between cells, as far as it counts for what numbers mean.
func (r *Reader) Separator() label.Separator {
	switch {
	case r.Form == Workbook:
		return label.Stored
	case r.Form == Table && r.Comma == ';':
		return label.Semicolons
	}
	return label.OtherSeparator
}

// Read returns the next row, which is the caller's, or io.EOF. Other errors are
// *badinput.Error.
func (r *Reader) Read() (Row, error) {
	for {
		var row Row
		if err := r.rows.next(r, &row); err != nil {
			return Row{}, err
		}
		if !row.empty() {
			return row, nil
		}
	}
}

// empty reports whether there is nothing in a row: spreadsheets write such rows.
func (row *Row) empty() bool { return row.Block == "" && row.Reason == nil && blank(row.Fields) }

func blank(cells []string) bool {
	for _, c := range cells {
		if c != "" && strings.TrimSpace(c) != "" {
			return false
		}
	}
	return true
}

// Close gives back what reading took, and closes a file that Open opened.
func (r *Reader) Close() error {
	err := r.rows.close()
	if r.file != nil {
		err = errors.Join(err, r.file.Close())
	}
	return err
}

// Resolve puts the SMILES of a row's molblock into its place, or gives the reason why
// there is none.
func (row *Row) Resolve(ctx context.Context, column int) error {
	if row.Block == "" {
		return nil
	}
	smiles, err := rdkit.FromBlock(ctx, row.Block)
	row.Block = ""
	if err == nil {
		row.Fields[column] = smiles
	}
	return err
}

// Stdin is the name of a file that stands for the standard input.
const Stdin = "-"

// Open opens a file, or reads stdin where the path is [Stdin], until ctx ends. Errors
// are *badinput.Error.
func Open(ctx context.Context, path string, stdin io.Reader, o Options) (*Reader, error) {
	if path == Stdin {
		return New("standard input", stdin, o)
	}
	f, err := input.Open(ctx, path, input.Stream, 0)
	if err != nil {
		return nil, err
	}
	r, err := New(path, f, o)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.file = f
	if r.plain != nil && f.Size >= 0 {
		r.plain.file = f
	}
	return r, nil
}

// New reads the beginning of a text, which faults call name. Errors are *badinput.Error.
func New(name string, text io.Reader, o Options) (*Reader, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	r := &Reader{Name: name, SMILES: -1, Names: -1, Form: Table}
	if err := r.open(text, o); err != nil {
		return nil, err
	}
	r.Names = namesColumn(r.Header, r.SMILES)
	return r, nil
}

func (r *Reader) open(text io.Reader, o Options) error {
	unpacked, err := input.NewPlain(r.Name, text)
	if err != nil {
		return err
	}
	plain := unpacked.Reader
	start, err := plain.Peek(16)
	if err != nil && !errors.Is(err, io.EOF) {
		return r.unreadable(err)
	}
	switch {
	case workbookLike(start):
		return r.openWorkbook(plain, o)
	case o.Encoding == "":
		start, _ = plain.Peek(4096) // all that binary files need
		if f := binary(r.Name, start); f != nil {
			return f
		}
	}
	letters := bufio.NewReaderSize(r.decoded(plain, o), sample)
	begin, _ := letters.Peek(sample)
	returns := endInReturns(begin)
	if returns { // as programs on a Mac end lines
		letters = bufio.NewReaderSize(&lineFeeds{letters}, sample)
		begin, _ = letters.Peek(sample)
	}
	if sdLike(begin) {
		return r.openSD(letters, begin)
	}
	if err := r.openText(letters, begin, o); err != nil {
		return cmp.Or(r.almostSD(begin), err)
	}
	if unpacked.Packed || returns {
		r.plain = nil
	}
	return nil
}
