package ranking

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pacia/data/assay"
	"pacia/data/label"
	"pacia/data/note"
	"pacia/data/standard"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
)

// A Support is a set of labelled molecules.
type Support struct {
	File   string
	Column string // of the labels
	Rule   *label.Rule
	Notes  []note.Note // of the file and of its labels
	Header []string    // names of the file's columns
	Missed bool        // the file lacks the named column of molecules

	SMILES []string         // as a model reads them
	Labels []uint8          // 0 inactive, 1 active
	Values []label.Measured // on Scale; nil if labels are learnt
	Scale  *label.Scale     // nil if labels are learnt
	Lines  []int            // in the file; the first line of a molecule with several rows
	Names  []string         // of the compounds, empty if the file has none

	Empty                int      // number of molecules without a label, which are left out
	Undecided            []Named  // molecules whose value does not decide their label, which are left out
	Unread               []Named  // molecules that cannot be read, which are left out
	Repeats              []Repeat // molecules with several rows
	LinesWithoutMolecule []int
	Rows                 []Labelled

	reasons []error // for each of SMILES, the reason for which it cannot be read, or nil
}

// Labelled is one row with a label, before repeats are merged.
type Labelled struct {
	Drawn, SMILES, Name string
	Line                int
	Label               uint8
	Value               float64 // measured value; NaN if there is none
	Side                int8    // side of the value, as in label.Reading

	reason error
	at     int32 // row of the assay
}

// Named identifies a molecule in messages.
type Named struct {
	Line   int
	Name   string // of the compound; may be empty
	Reason error
}

// String formats the molecule, such as "row 12 (aspirin)".
func (n Named) String() string {
	return "row " + strconv.Itoa(n.Line) + inBrackets(n.Name)
}

// Counts returns the numbers of molecules with label 0 and with label 1.
func (s *Support) Counts() (counts [2]int) {
	for _, label := range s.Labels {
		counts[label]++
	}
	return counts
}

// ReadSupport reads a table of labelled molecules: a column of SMILES and one
// of labels. Errors about the file are *badinput.Error.
func ReadSupport(ctx context.Context, path string, o Options, l label.Tasks) (*Support, error) {
	a, err := assay.Open(ctx, path, o.Stdin, o.assay(l))
	if err != nil {
		return nil, err
	}
	return supportOf(ctx, a, o, l)
}

// SupportOf is ReadSupport of a text; name is the file's name in errors.
func SupportOf(ctx context.Context, name string, text io.Reader, o Options, l label.Tasks) (*Support, error) {
	r, err := table.New(name, text, o.Options)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	a, err := assay.Read(ctx, r, o.assay(l))
	if err != nil {
		return nil, err
	}
	return supportOf(ctx, a, o, l)
}

func (o *Options) assay(l label.Tasks) assay.Options {
	return assay.Options{Options: o.Options, Labels: l, SingleColumn: true, MaxLabelled: o.MaxLabelled}
}

func supportOf(ctx context.Context, a *assay.Assay, o Options, l label.Tasks) (*Support, error) {
	s, err := unmerged(ctx, a, o)
	if err != nil {
		return nil, err
	}
	return s.finish(ctx, a, o, l)
}

// unmerged returns the labelled rows of a table.
func unmerged(ctx context.Context, a *assay.Assay, o Options) (*Support, error) {
	t := &a.Tasks[0]
	s := &Support{File: a.File, Column: t.Name, Rule: t.Rule, Header: a.Header, Missed: a.Missed, Empty: t.Missing, LinesWithoutMolecule: a.LinesWithoutMolecule,
		Notes: slices.Concat(a.Notes, t.Notes)}
	for _, left := range t.Unlabelled {
		if left.Verdict == label.Undecided {
			s.Undecided = append(s.Undecided, Named{Line: a.Lines[left.Row], Name: a.Names[left.Row]})
		}
	}
	var changes standard.Changes
	for k, row := range t.Rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		one := Labelled{Drawn: a.SMILES[row], Name: a.Names[row], Line: a.Lines[row], Label: t.Labels[k], Value: t.Value(k),
			reason: a.Reasons[int(row)], at: row}
		if one.reason == nil {
			var change standard.Change
			one.SMILES, change, one.reason = o.Standard.Molecule(ctx, one.Drawn)
			changes.Add(change, one.Line)
		}
		if t.Sides != nil {
			one.Side = t.Sides[k]
		}
		s.Rows = append(s.Rows, one)
	}
	for _, row := range slices.Sorted(maps.Keys(a.Reasons)) {
		if _, labelled := slices.BinarySearch(t.Rows, int32(row)); !labelled {
			s.Unread, s.Empty = append(s.Unread, Named{a.Lines[row], a.Names[row], a.Reasons[row]}), s.Empty-1
		}
	}
	s.Notes = append(s.Notes, changes.Notes("--as-drawn")...)
	return s, nil
}

// finish merges the rows as molecules. a has their other columns.
func (s *Support) finish(ctx context.Context, a *assay.Assay, o Options, l label.Tasks) (*Support, error) {
	if l.Numbers {
		s.learnNumbers(each.Of(s.Rows, func(row Labelled) float64 { return row.Value }), l)
	}
	if err := s.merge(ctx, a, &o); err != nil {
		return nil, err
	}
	if o.Results && len(s.Labels) > 0 {
		return s, nil
	}
	return s, s.complete(nil)
}

// NoteTautomers adds a note on n molecules that a model knows as tautomers in which a hydrogen of carbon has moved.
func (s *Support) NoteTautomers(n int) {
	s.Notes = append(s.Notes, (&standard.Changes{Tautomers: n}).Notes("--as-drawn")...)
}

// Drop removes the molecules that cannot be read: those with one of the reasons
// [len(SMILES)], and those that had a reason before. It returns an error if a class loses all its molecules
// or, with all, if any molecule cannot be read.
func (s *Support) Drop(reasons []error, all bool) error {
	kept := *s
	kept.SMILES, kept.reasons, kept.Labels, kept.Values, kept.Lines, kept.Names = nil, nil, nil, nil, nil, nil
	var first [2]*badinput.Error
	for i, reason := range reasons {
		if s.reasons[i] != nil {
			reason = s.reasons[i]
		}
		if reason == nil {
			kept.add(s.SMILES[i], s.Labels[i], s.Lines[i], s.Names[i], nil)
			if s.Values != nil {
				kept.Values = append(kept.Values, s.Values[i])
			}
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

func (s *Support) add(smiles string, label uint8, line int, name string, reason error) {
	s.SMILES, s.reasons, s.Labels = append(s.SMILES, smiles), append(s.reasons, reason), append(s.Labels, label)
	s.Lines, s.Names = append(s.Lines, line), append(s.Names, name)
}

// complete returns an error if a class has no molecules. Why, which may be nil, has the first unreadable
// molecule of each class.
func (s *Support) complete(why *[2]*badinput.Error) error {
	for class, name := range []string{"inactive", "active"} {
		if slices.Contains(s.Labels, uint8(class)) {
			continue
		}
		if tied := slices.IndexFunc(s.Repeats, func(r Repeat) bool { return r.Tied() }); tied >= 0 && len(s.Labels) < len(s.Rows) {
			return &badinput.Error{File: s.File, Column: s.Column, What: "there is no " + name + " molecule that is not also the opposite: " + s.Repeats[tied].both(), Fix: "correct the rows, or write --repeats keep"}
		}
		if why != nil && why[class] != nil {
			return why[class]
		}
		what := "there is no " + name + " molecule (label " + strconv.Itoa(class) + ")"
		if s.Rule != nil {
			what = "there is no " + name + " molecule: active is " + s.Rule.String() + s.inUnit()
		}
		return &badinput.Error{File: s.File, Column: s.Column, What: what + s.leftOut(), Fix: "a support set needs one or more of each class"}
	}
	return nil
}

// inUnit describes the unit of the values and how it was inferred. It returns "" if no unit was inferred.
func (s *Support) inUnit() string {
	i := slices.IndexFunc(s.Notes, func(n note.Note) bool { return n.Switch == "--value-unit" })
	if i < 0 {
		return ""
	}
	return ", " + s.Notes[i].Text
}

// leftOut describes how many rows are neither active nor inactive, and why.
func (s *Support) leftOut() (text string) {
	if n := len(s.Undecided); n > 0 {
		text = fmt.Sprintf("; %s not decided, such as %s", ui.Count(n, "row"), s.Undecided[0])
		if i := slices.IndexFunc(s.Notes, func(n note.Note) bool {
			return n.Switch == "--sign-column" && !n.Warning && strings.HasPrefix(n.Text, "signs from")
		}); i >= 0 {
			text += ", with " + s.Notes[i].Text
		}
	}
	if s.Empty > 0 {
		text += fmt.Sprintf("; %s without a label", ui.Count(s.Empty, "row"))
	}
	if len(s.Unread) > 0 {
		text += fmt.Sprintf("; %s left out, such as %s: %v", ui.Count(len(s.Unread), "row"), s.Unread[0], s.Unread[0].Reason)
	}
	return text
}
