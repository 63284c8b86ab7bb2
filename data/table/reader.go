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
	"pacia/internal/badinput"
	"pacia/internal/input"
)

// sample is the number of bytes of a text that are examined before it is read.
const sample = 1 << 18

// A Reader reads the rows of a file. It must be used by one goroutine.
type Reader struct {
	Name   string   // of the file, for errors
	Header []string // names of the columns; for an SD file it grows during reading
	SMILES int      // number of the molecules' column, or −1
	Names  int      // number of the column with the compounds' names, or −1
	Comma  rune     // between cells of a table
	Form   Form
	Notes  []note.Note // how the file differs from a table with commas in UTF-8
	Missed bool        // no column has the name in Options.SMILES, and another one was found

	HeaderLine int // row of the header, from 1; 0: no header

	file  io.Closer // nil if Open did not open it
	rows  rows
	latin *guess // the decoder that detects the encoding; nil if it is known
	plain *plain // nil if rows cannot be found without decoding the text before them

	idcodes []string // columns of a DataWarrior file that hold structures in its own code; nil: another file
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

// rows is implemented for each form of a file. next fills row, or returns io.EOF; other
// errors are *badinput.Error.
type rows interface {
	next(r *Reader, row *Row) error
	close() error
}

// A Row is one molecule.
type Row struct {
	Line   int      // of the file, from 1; in an SD file the number of the record, in a workbook that of the row
	Fields []string // at most as many as the header has; missing cells are empty
	Block  string   // the molblock, which Resolve converts to a SMILES; empty in files other than SD files
	Reason error    // why its cells cannot be used: it has more or fewer cells than the header, or a space in its SMILES

	units []string // that number formats of a workbook show beside the cells; nil: none
}

// Measured returns the cells with the units that the number formats of a workbook show beside them.
func (row *Row) Measured() []string {
	if row.units == nil {
		return row.Fields
	}
	cells := slices.Clone(row.Fields)
	for i, unit := range row.units[:min(len(row.units), len(cells))] {
		if unit != "" {
			cells[i] = label.WithUnit(cells[i], unit)
		}
	}
	return cells
}

// Understood returns the notes about the file, as far as it was read.
func (r *Reader) Understood() []note.Note {
	if r.latin != nil && r.latin.used {
		return append(slices.Clone(r.Notes), note.Note{Text: "Latin-1 (Windows-1252)", Switch: "--encoding"})
	}
	if w, is := r.rows.(*workbook); is && len(w.hidden) > 0 {
		return append(slices.Clone(r.Notes), note.Note{Text: "hidden rows are read like the others", Rows: w.hidden})
	}
	return r.Notes
}

// Separator returns the kind of separator, from which label infers how numbers are written.
func (r *Reader) Separator() label.Separator {
	switch {
	case r.Form == Workbook:
		return label.Stored
	case r.Form == Table && r.Comma == ';':
		return label.Semicolons
	}
	return label.OtherSeparator
}

// Read returns the next row, or io.EOF. The caller may keep the row. Other errors are
// *badinput.Error.
func (r *Reader) Read() (Row, error) {
	for {
		var row Row
		if err := r.rows.next(r, &row); err != nil {
			return Row{}, err
		}
		if !row.empty() {
			if row.Reason == nil {
				row.Reason = r.afterSMILES(row.Fields)
			}
			return row, nil
		}
	}
}

// afterSMILES returns an error if text after a space follows the SMILES of a row, which RDKit would take for a name. In a
// table names have a column of their own, so that the text is rather a part of the molecule, or another molecule. It
// may be a name where the molecules are the only column, unless it looks like SMILES.
func (r *Reader) afterSMILES(fields []string) error {
	if r.Form != Table && r.Form != Workbook || r.SMILES < 0 || r.SMILES >= len(fields) {
		return nil
	}
	cell := strings.TrimSpace(fields[r.SMILES])
	at := strings.IndexByte(cell, ' ')
	if at < 0 {
		return nil
	}
	rest := strings.TrimSpace(cell[at:])
	if strings.HasPrefix(rest, "|") || len(r.Header) == 1 && !smilesLike(strings.ReplaceAll(rest, " ", "")) {
		return nil
	}
	return errors.New(badinput.Quote(rest) + " after a space in the SMILES; remove the space, or write a name in a column of its own")
}

// empty reports whether a row has no content. Spreadsheets write such rows.
func (row *Row) empty() bool { return row.Block == "" && row.Reason == nil && blank(row.Fields) }

func blank(cells []string) bool {
	for _, c := range cells {
		if c != "" && strings.TrimSpace(c) != "" {
			return false
		}
	}
	return true
}

// Close releases the resources of the reader, and closes a file that Open opened.
func (r *Reader) Close() error {
	err := r.rows.close()
	if r.file != nil {
		err = errors.Join(err, r.file.Close())
	}
	return err
}

// Resolve converts a row's molblock to a SMILES in the given column. lost is the stereochemistry that the molblock
// does not tell. It returns an error if the molblock cannot be read.
func (row *Row) Resolve(ctx context.Context, column int) (lost rdkit.Lost, err error) {
	if row.Block == "" {
		return 0, nil
	}
	smiles, lost, err := rdkit.FromBlock(ctx, row.Block)
	row.Block = ""
	if err == nil {
		row.Fields[column] = smiles
	}
	return lost, err
}

// Stdin is the path of the standard input.
const Stdin = "-"

// Open opens a file, or reads stdin if the path is [Stdin], until ctx ends. Errors
// are *badinput.Error.
func Open(ctx context.Context, path string, stdin io.Reader, o Options) (*Reader, error) {
	if o = o.ForFile(path); path == Stdin {
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

// New reads the beginning of a file. Errors are *badinput.Error, in which the file is called name.
func New(name string, text io.Reader, o Options) (*Reader, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	r := &Reader{Name: name, SMILES: -1, Names: -1, Form: Table}
	if err := r.open(text, o); err != nil {
		return nil, err
	}
	if r.SMILES < 0 || r.SMILES >= len(r.Header) { // all callers index by it
		return nil, errors.Join(r.noMolecules(&layout{header: -1}, o), r.Close())
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
	case zipLike(start):
		return r.openZip(plain, o)
	case o.Encoding == "":
		start, _ = plain.Peek(4096) // enough to recognise binary files
		if f := binary(r.Name, start); f != nil {
			return f
		}
	}
	letters := bufio.NewReaderSize(r.decoded(plain, o), sample)
	begin, _ := letters.Peek(sample)
	returns := endInReturns(begin)
	if returns { // line ends of old Mac programs
		letters = bufio.NewReaderSize(&lineFeeds{letters}, sample)
		begin, _ = letters.Peek(sample)
	}
	warrior := dataWarriorLike(begin)
	if warrior {
		w := &dataWarrior{text: letters}
		letters = bufio.NewReaderSize(w, sample)
		begin, _ = letters.Peek(sample)
		r.idcodes = append(w.idcodes, "idcode")
		r.Notes = append(r.Notes, note.Note{Text: "DataWarrior file"})
	}
	if sdLike(begin) {
		return r.openSD(letters, begin, o)
	}
	if err := r.openText(letters, begin, o); err != nil {
		return cmp.Or(r.almostSD(begin), err)
	}
	if unpacked.Packed || returns || warrior {
		r.plain = nil
	}
	return nil
}
