package ranking

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"pacia/data/label"
	"pacia/data/rdkit"
	"pacia/internal/badinput"
)

// Labels say which column holds the labels, and how they are read.
type Labels struct {
	Column  string      // its name; empty: told from the header
	Rule    *label.Rule // nil: the labels are words
	Decimal byte        // '.' or ','; 0: told from the column
}

// A Support is a set of labelled molecules.
type Support struct {
	File   string
	Column string // that the labels are from
	Rule   *label.Rule
	Told   string // of the file

	SMILES []string // as they are to be parsed
	Labels []uint8  // 0 inactive, 1 active
	Lines  []int    // in the file
	Names  []string // of the compounds, empty where the file has none

	Empty     int     // molecules without a label, which are left out
	Undecided []Named // those whose value does not decide, which are left out
	Unread    []Named // those that cannot be read, which are left out

	reasons []error // of SMILES: why there is none
}

// Named is a molecule that is spoken about.
type Named struct {
	Line   int
	Name   string // of the compound; empty where it is not known
	Reason error
}

// String is such as "row 12 (aspirin)".
func (n Named) String() string {
	text := "row " + strconv.Itoa(n.Line)
	if n.Name != "" {
		text += " (" + n.Name + ")"
	}
	return text
}

// Counts returns how many molecules have label 0, and label 1.
func (s *Support) Counts() (counts [2]int) {
	for _, label := range s.Labels {
		counts[label]++
	}
	return counts
}

// ReadSupport reads a table of labelled molecules: a column of SMILES and one
// of labels. Errors about the file are *badinput.Error.
func ReadSupport(ctx context.Context, path string, o Options, l Labels) (*Support, error) {
	o.Ranked = false
	t, err := Open(ctx, []string{path}, o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return SupportOf(t, l)
}

// SupportOf is ReadSupport of an open table, which it reads to its end.
func SupportOf(t *Table, l Labels) (*Support, error) {
	var rows []Row
	for { // all of them first: an SD file's columns are known in the end
		row, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	at, err := t.labelColumn(l)
	if err != nil {
		return nil, err
	}
	s := &Support{File: t.files[0].Name, Column: t.Header[at], Rule: l.Rule, Told: t.files[0].Understood()}
	column := label.Column{Name: s.Column, Rule: l.Rule, Decimal: l.Decimal, Commas: t.files[0].Commas, Cells: cells(rows, at)}
	if l.Rule != nil {
		column.Signs, column.Units = cells(rows, label.Beside(t.Header, at, label.SignWords...)), cells(rows, label.Beside(t.Header, at, label.UnitWords...))
	}
	verdicts, err := column.Read()
	var wrong *label.CellError
	if errors.As(err, &wrong) {
		return nil, &badinput.Error{File: s.File, Row: rows[wrong.Row].Line, Column: s.Column, What: wrong.What, Fix: wrong.Fix}
	}
	if column.Told != "" {
		s.Told = strings.TrimPrefix(s.Told+", "+column.Told, ", ")
	}
	for i := range rows {
		s.add(t, &rows[i], verdicts[i])
	}
	return s, s.complete(nil)
}

// cells returns those of a column, nil for −1.
func cells(rows []Row, column int) []string {
	if column < 0 {
		return nil
	}
	all := make([]string, len(rows))
	for i, r := range rows {
		if column < len(r.Fields) {
			all[i] = r.Fields[column]
		}
	}
	return all
}

func (s *Support) add(t *Table, row *Row, verdict label.Verdict) {
	name := t.NameOf(row.Fields)
	switch verdict {
	case label.Missing:
		s.Empty++
		return
	case label.Undecided:
		s.Undecided = append(s.Undecided, Named{Line: row.Line, Name: name})
		return
	}
	t.Prepare(row)
	s.SMILES, s.reasons = append(s.SMILES, row.SMILES), append(s.reasons, row.Reason)
	s.Labels = append(s.Labels, uint8(verdict))
	s.Lines, s.Names = append(s.Lines, row.Line), append(s.Names, name)
}

// Drop leaves out molecules that cannot be read: those with one of the reasons
// [len(SMILES)], and those that had one before. Each class has to keep one, or with all
// of them, every molecule must be read.
func (s *Support) Drop(reasons []error, all bool) error {
	kept := Support{File: s.File, Column: s.Column, Rule: s.Rule, Told: s.Told, Empty: s.Empty, Undecided: s.Undecided, Unread: s.Unread}
	var first [2]*badinput.Error
	for i, reason := range reasons {
		if s.reasons[i] != nil {
			reason = s.reasons[i]
		}
		if reason == nil {
			kept.SMILES, kept.reasons, kept.Labels = append(kept.SMILES, s.SMILES[i]), append(kept.reasons, nil), append(kept.Labels, s.Labels[i])
			kept.Lines, kept.Names = append(kept.Lines, s.Lines[i]), append(kept.Names, s.Names[i])
			continue
		}
		kept.Unread = append(kept.Unread, Named{s.Lines[i], s.Names[i], reason})
		if class := s.Labels[i]; first[class] == nil {
			first[class] = &badinput.Error{File: s.File, Row: s.Lines[i], What: "the molecule cannot be read", Err: reason, Fix: "correct or remove it"}
		}
		if all {
			return first[s.Labels[i]]
		}
	}
	*s = kept
	return s.complete(&first)
}

// complete reports a class without molecules; why, where one could not be read.
func (s *Support) complete(why *[2]*badinput.Error) error {
	for class, name := range []string{"inactive", "active"} {
		if slices.Contains(s.Labels, uint8(class)) {
			continue
		}
		if why != nil && why[class] != nil {
			return why[class]
		}
		what := "there is no " + name + " molecule (label " + strconv.Itoa(class) + ")"
		if s.Rule != nil {
			what = "there is no " + name + " molecule: active is " + s.Rule.String()
		}
		return &badinput.Error{File: s.File, Column: s.Column, What: what, Fix: "a support set needs one or more of each class"}
	}
	return nil
}

// Both returns the molecules that are there with both labels, such as "rows 3 and 9
// (aspirin)".
func (s *Support) Both() []string {
	first := map[string]int{}
	var both []string
	for i, smiles := range s.SMILES {
		molecule, err := rdkit.Canonical(smiles)
		if err != nil {
			continue // which the model's parser says
		}
		before, known := first[molecule]
		switch {
		case !known:
			first[molecule] = i
		case s.Labels[before] != s.Labels[i]:
			text := "rows " + strconv.Itoa(s.Lines[before]) + " and " + strconv.Itoa(s.Lines[i])
			if s.Names[i] != "" {
				text += " (" + s.Names[i] + ")"
			}
			both = append(both, text)
		}
	}
	return both
}
