package ranking

import (
	"fmt"
	"math"
	"path/filepath"

	"pacia/data/assay"
	"pacia/data/note"
	"pacia/internal/badinput"
)

// tellApart notes the columns whose values divide the labelled rows into assays or runs. It returns an error if the
// rows of molecules disagree because of one, unless the user chose how repeats are treated. all are the molecules,
// which has that of each row.
func (s *Support) tellApart(a *assay.Assay, all []Repeat, which []int32, o *Options) error {
	if len(a.Others) == 0 {
		return nil
	}
	rows := make([]assay.Marked, len(s.Rows))
	for i, row := range s.Rows {
		rows[i] = assay.Marked{Row: row.at, Molecule: which[i], Label: row.Label, Value: math.NaN(), Measured: row.Value}
		if s.Scale != nil {
			if m, ok := s.Scale.To(row.Value, row.Side); ok {
				rows[i].Value = m.Value
			}
		}
	}
	of := ""
	if o.Named {
		of = filepath.Base(s.File) + ":"
	}
	noted := 0
	for _, split := range a.Splits(rows) {
		decides := split.Decides()
		if decides && o.Repeats == "" {
			fix := "write " + split.Switch(of) + ", or another value"
			if split.Kind == assay.OfFiles {
				fix = "give one of the files"
			}
			if !split.Kind.Apart() {
				fix += ", or --repeats merge if they are repeats of one assay"
			}
			return &badinput.Error{File: s.File, Column: s.Column, What: s.disagreement(&split, all), Fix: fix}
		}
		if noted < 2 && (decides || split.Notable()) {
			noted++
			s.Notes = append(s.Notes, note.Note{Text: split.String(), Switch: split.Switch(of), Warning: decides || split.Kind.Apart()})
		}
	}
	return nil
}

// disagreement describes the first molecule whose rows disagree because of a column, and how many others there are.
func (s *Support) disagreement(split *assay.Split, all []Repeat) string {
	others := ""
	if n := split.Conflicts - 1; n > 0 {
		others = fmt.Sprintf(", and those of %d more", n)
	}
	disagree := "both labels"
	if s.Scale != nil {
		disagree = "different values"
	}
	for i := range all {
		r := &all[i]
		if len(r.Lines) > 1 && (s.Scale != nil && r.spread() > 3 || s.Scale == nil && r.Disagree()) {
			return note.Rows(r.Lines) + " of one molecule" + inBrackets(r.Name) + " have " + disagree + others + ": " + split.String()
		}
	}
	return "rows of one molecule have " + disagree + others + ": " + split.String()
}

func inBrackets(name string) string {
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}
