package assay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"pacia/data/label"
	"pacia/data/note"
	"pacia/data/rdkit"
	"pacia/data/standard"
	"pacia/data/table"
	"pacia/internal/badinput"
)

// Options define how a table is read. The zero value reads all columns that contain labels.
type Options struct {
	table.Options

	Labels       label.Tasks
	SingleColumn bool   // read one column of labels, the likeliest
	Every        bool   // read every assay, by the order of its measurements
	Unlabeled    bool   // read only the molecules
	Named        bool   // with Unlabeled, also their names
	Called       string // name of the task of a column "label"; empty: label
	MaxLabelled  int    // largest number of labelled molecules of a task, and a fiftieth of that of rows; 0: any number
}

// An Assay is a table of labelled molecules.
type Assay struct {
	File   string
	Column string // of the molecules

	SMILES               []string      // [n] as in the file; may be empty if Reasons has an error for the molecule
	Names                []string      // [n] of the compounds; empty strings if the file has none; nil with Options.Unlabeled, unless Named
	Lines                []int         // [n] in the file
	Reasons              map[int]error // by molecule: the reason why its row cannot be used
	Tasks                []Task
	Notes                []note.Note // of the file; each task has its own
	LinesWithoutMolecule []int

	Others  []Other // further columns with few values, beside a single task
	Without int     // rows that do not fulfil the conditions of Options.Labels

	Header []string // names of all columns
	Missed bool     // see table.Reader
	Every  bool     // as in Options
}

// A Task is the reading of one column of labels or measurements.
type Task struct {
	Name       string
	Rule       *label.Rule  // nil: the cells are words
	Rows       []int32      // [m] molecules that are active or inactive
	Labels     []uint8      // [m] 0 inactive, 1 active
	Values     []float64    // [m] measured, in the unit of the rule; nil: the cells are words
	Sides      []int8       // [m] of the values, see label.Reading; nil: the cells are words
	Unlabelled []Unlabelled // molecules whose cell is not a label
	Notes      []note.Note

	Missing int // molecules without a label
}

// Unlabelled is a molecule whose cell is not a label.
type Unlabelled struct {
	Row     int32
	Verdict label.Verdict // Undecided, Unread or Other
	Why     string
}

// Counts returns the number of molecules with label 0 and with label 1.
func (t *Task) Counts() (counts [2]int) {
	for _, label := range t.Labels {
		counts[label]++
	}
	return counts
}

// Undecided returns the molecules whose value may lie on either side of the threshold.
func (t *Task) Undecided() (rows []int32) {
	for _, l := range t.Unlabelled {
		if l.Verdict == label.Undecided {
			rows = append(rows, l.Row)
		}
	}
	return rows
}

// String returns text such as "9 active (below 1 uM), 6 inactive, 2 not decided; " and the notes.
func (t *Task) String() string {
	counts := t.Counts()
	text := fmt.Sprintf("%d active", counts[1])
	if t.Rule != nil {
		text += " (" + t.Rule.String() + ")"
	}
	text += fmt.Sprintf(", %d inactive", counts[0])
	if n := len(t.Undecided()); n > 0 {
		text += fmt.Sprintf(", %d not decided", n)
	}
	for _, n := range t.Notes {
		text += "; " + n.String()
	}
	return text
}

// Open reads a file, or stdin if the path is [table.Stdin], until ctx ends. Errors in
// the file are *badinput.Error.
func Open(ctx context.Context, path string, stdin io.Reader, o Options) (*Assay, error) {
	r, err := table.Open(ctx, path, stdin, o.Options)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return Read(ctx, r, o)
}

// Read is like Open, for a table that is already open. It reads the table to its end.
func Read(ctx context.Context, r *table.Reader, o Options) (*Assay, error) {
	read := reading{rows: r, options: o, Assay: &Assay{File: r.Name, Every: o.Every, Reasons: map[int]error{}}}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if err := read.row(ctx, row); err != nil {
			return nil, err
		}
	}
	return read.done()
}

// reading is an Assay that is being read.
type reading struct {
	*Assay
	rows    *table.Reader
	options Options
	cells   [][]label.Cell // the cells of each column that are not empty
	asked   []asked        // conditions on rows
	units   []string       // of each column, from rows between the header and the first molecule
	flat    []int          // lines of records without coordinates, which lack stereochemistry
	short   short
}

func (r *reading) row(ctx context.Context, row table.Row) error {
	smiles := strings.TrimSpace(row.Fields[r.rows.SMILES])
	again, err := r.headerAgain(row, smiles)
	if err != nil {
		return err
	}
	if again || row.Block == "" && r.aside(row, smiles) {
		r.LinesWithoutMolecule = append(r.LinesWithoutMolecule, row.Line)
		return nil
	}
	if wanted, err := r.wanted(&row); err != nil || !wanted {
		return err
	}
	molecule := int32(len(r.SMILES))
	if !r.options.Unlabeled && row.Reason == nil {
		kept := row
		kept.Fields = row.Measured()
		r.store(molecule, kept)
	}
	name := ""
	if at := r.rows.Names; at >= 0 && at < len(row.Fields) {
		name = strings.Clone(table.OneLine(row.Fields[at]))
	}
	reason := row.Reason
	if reason == nil {
		var lost rdkit.Lost
		if lost, reason = row.Resolve(ctx, r.rows.SMILES); lost != 0 {
			r.flat = append(r.flat, row.Line)
		}
		smiles = strings.TrimSpace(row.Fields[r.rows.SMILES])
	}
	if reason != nil {
		r.Reasons[int(molecule)] = reason
	}
	r.SMILES, r.Lines = append(r.SMILES, strings.Clone(smiles)), append(r.Lines, row.Line)
	if !r.options.Unlabeled || r.options.Named {
		r.Names = append(r.Names, name)
	}
	return r.checkRows()
}

// headerAgain reports whether a row repeats the header. A header with other names begins another
// table with other columns, which is an error.
func (r *reading) headerAgain(row table.Row, smiles string) (bool, error) {
	if r.rows.HeaderLine == 0 || row.Block != "" || !strings.EqualFold(table.OneLine(smiles), r.rows.Header[r.rows.SMILES]) {
		return false, nil
	}
	for i, cell := range row.Fields {
		cell = table.OneLine(cell)
		if i < len(r.rows.Header) && cell != "" && !strings.EqualFold(cell, r.rows.Header[i]) {
			return false, &badinput.Error{
				File: r.File, Row: row.Line, What: "another header, with " + badinput.Quote(cell) + " in place of " + badinput.Quote(r.rows.Header[i]),
				Fix: "put each table into a file of its own",
			}
		}
	}
	return true, nil
}

// aside reports whether a row has no molecule. The cell of the molecule is empty, and the row is above the
// first molecule or has no label and no measurement; or the row has only types or units above the first
// molecule; or it is a footnote.
// Units are kept for their columns.
func (r *reading) aside(row table.Row, smiles string) bool {
	if smiles != "" && table.Meant(smiles) {
		return false
	}
	first := len(r.SMILES) == 0 // before the first molecule
	filled, described := 0, 0
	for i, cell := range row.Fields {
		if cell = strings.TrimSpace(label.Plain(cell)); cell == "" {
			continue
		}
		if filled++; label.IsDescription(cell) {
			described++
		}
		if cell = strings.Trim(cell, "()[] "); first && label.IsUnit(cell) {
			for len(r.units) <= i {
				r.units = append(r.units, "")
			}
			r.units[i] = strings.Clone(cell)
		}
	}
	if smiles == "" && row.Reason == nil {
		return first || r.options.Unlabeled || !r.labelled(row)
	}
	return filled == 1 && len(row.Fields) > 1 || row.Reason == nil && first && described == filled
}

func (r *reading) labelled(row table.Row) bool {
	for i, cell := range row.Fields {
		if i == r.rows.SMILES || i == r.rows.Names || strings.TrimSpace(cell) == "" {
			continue
		}
		if v, ok := label.Word(cell); ok && v <= label.Active || label.IsMeasurement(cell) {
			return true
		}
	}
	return false
}

func (r *reading) done() (*Assay, error) {
	if err := r.unfulfilled(); err != nil {
		return nil, err
	}
	if len(r.SMILES) == 0 {
		return nil, &badinput.Error{File: r.File, What: "no molecules below the header", Fix: "write one molecule a row"}
	}
	r.Header, r.Column, r.Missed = r.rows.Header, r.rows.Header[r.rows.SMILES], r.rows.Missed
	r.Notes = append(r.Notes, r.rows.Understood()...)
	if len(r.LinesWithoutMolecule) > 0 {
		text := "a row without a molecule is passed over"
		if len(r.LinesWithoutMolecule) > 1 {
			text = fmt.Sprintf("%d rows without a molecule are passed over", len(r.LinesWithoutMolecule))
		}
		r.Notes = append(r.Notes, note.Note{Text: text, Rows: r.LinesWithoutMolecule})
	}
	r.noteWithout()
	if len(r.flat) > 0 {
		r.Notes = append(r.Notes, note.Note{Text: standard.Flat(len(r.flat)), Rows: r.flat, Warning: true})
	}
	if r.options.Unlabeled {
		return r.Assay, nil
	}
	read := r.tasks
	if r.Every {
		read = r.every
	}
	if err := read(); err != nil {
		return nil, err
	}
	if len(r.Tasks) == 1 && !r.Every && len(r.SMILES) <= mostApart {
		r.others()
	}
	return r.Assay, nil
}

// Value returns the measured value of label k, NaN for a column of words.
func (t *Task) Value(k int) float64 {
	if t.Values == nil {
		return math.NaN()
	}
	return t.Values[k]
}
