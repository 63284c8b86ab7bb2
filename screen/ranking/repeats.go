package ranking

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"pacia/data/assay"
	"pacia/data/note"
	"pacia/data/replicates"
	"pacia/internal/each"
)

// The treatment of molecules that have several rows.
const (
	Merge = "merge" // each molecule counts once, with the label of most of its rows
	Keep  = "keep"  // each row counts
)

// A Repeat is a molecule of several rows.
type Repeat struct {
	replicates.Votes
	Name   string
	Lines  []int
	Values []float64 // measured values; NaN for rows without one

	rows []Labelled
}

// String formats a repeat, such as "rows 3, 9 and 12 (aspirin): median 1.2 of 3 values, 0.8 to 5".
func (r *Repeat) String() string {
	text := note.Rows(r.Lines) + inBrackets(r.Name)
	if median, low, high := assay.Median(r.Values); !math.IsNaN(median) {
		return text + fmt.Sprintf(": median %s of %d values, %s to %s", short(median), len(r.Values), short(low), short(high))
	}
	if !r.Disagree() {
		return text
	}
	return text + fmt.Sprintf(": %d active, %d inactive", r.Votes[1], r.Votes[0])
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// merge adds the labelled rows as molecules. Unless how is Keep, rows of the same molecule are merged, and a
// molecule with as many active rows as inactive ones is left out. Repeats are noted.
func (s *Support) merge(ctx context.Context, a *assay.Assay, o *Options) error {
	how, keys := o.Repeats, make([]string, len(s.Rows))
	for i, row := range s.Rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if row.reason == nil {
			keys[i] = replicates.Key(ctx, row.SMILES)
		}
	}
	which, first := replicates.Group(keys)
	all := each.Of(first, func(at int32) Repeat { return Repeat{Name: s.Rows[at].Name} })
	for i, row := range s.Rows {
		r := &all[which[i]]
		r.Lines, r.Values, r.rows = append(r.Lines, row.Line), append(r.Values, row.Value), append(r.rows, row)
		r.Votes[row.Label]++
	}
	if err := s.tellApart(a, all, which, o); err != nil {
		return err
	}
	for i, row := range s.Rows {
		label, rows := row.Label, []Labelled{row}
		if how != Keep {
			r := &all[which[i]]
			if first[which[i]] != int32(i) || r.Tied() {
				continue
			}
			label, rows = r.Label(), r.rows
		}
		s.add(row.SMILES, label, row.Line, row.Name, row.reason)
		if s.Scale != nil {
			s.Values = append(s.Values, s.valueOf(label, rows...))
		}
	}
	for _, r := range all {
		if len(r.Lines) > 1 {
			s.Repeats = append(s.Repeats, r)
		}
	}
	s.noteRepeats(how)
	return nil
}

// noteRepeats adds notes on the molecules that have several rows, and warnings for those with both labels.
func (s *Support) noteRepeats(how string) {
	rows, first := 0, true
	var both, lines []int
	var widest *Repeat
	for i := range s.Repeats {
		r := &s.Repeats[i]
		rows, lines = rows+len(r.Lines), append(lines, r.Lines...)
		if r.Disagree() {
			both = append(both, i)
		}
		if widest == nil || r.spread() > widest.spread() {
			widest = r
		}
		first = false
	}
	if first {
		return
	}
	text := fmt.Sprintf("%d rows are of %d molecules", rows, len(s.Repeats))
	if len(s.Repeats) == 1 {
		text = fmt.Sprintf("%d rows are of one molecule", rows)
	}
	if how == Keep {
		text += ": each counts"
	} else {
		text += ": each molecule counts once, with the label of most of its rows"
	}
	if widest.spread() > 1 {
		text += "; the widest, " + widest.String()
	}
	s.Notes = append(s.Notes, note.Note{Text: text, Rows: sorted(lines), Switch: "--repeats"})
	if len(both) > fewConflicts {
		s.noteConflicts(both, how)
		return
	}
	for _, i := range both {
		r := s.Repeats[i]
		text := r.both()
		if how != Keep && r.Tied() {
			text += ", and left out"
		}
		s.Notes = append(s.Notes, note.Note{Text: text, Switch: "--repeats", Warning: true})
	}
}

// fewConflicts is the number of molecules with both labels up to which each has a line.
const fewConflicts = 3

// noteConflicts adds one warning for many molecules with both labels.
func (s *Support) noteConflicts(both []int, how string) {
	var lines []int
	left := 0
	for _, i := range both {
		lines = append(lines, s.Repeats[i].Lines...)
		if how != Keep && s.Repeats[i].Tied() {
			left++
		}
	}
	text := fmt.Sprintf("%d molecules have rows with both labels", len(both))
	if left > 0 {
		text += fmt.Sprintf(", and %d of them are left out", left)
	}
	s.Notes = append(s.Notes, note.Note{Text: text, Rows: sorted(lines), Switch: "--repeats", Warning: true})
}

// both describes a repeat with both labels, such as "rows 3 and 9 (aspirin) are one molecule with both labels".
func (r *Repeat) both() string {
	return rowsText(each.Of(r.Lines, strconv.Itoa)) + inBrackets(r.Name) + " are one molecule with both labels"
}

// rowsText formats rows, such as "row 3" or "rows 3, 5 and 7".
func rowsText(rows []string) string {
	last := len(rows) - 1
	if last == 0 {
		return "row " + rows[0]
	}
	return "rows " + strings.Join(rows[:last], ", ") + " and " + rows[last]
}

// spread returns the ratio of the largest value to the smallest; 0 without values, and if the smallest is not
// positive.
func (r *Repeat) spread() float64 {
	_, low, high := assay.Median(r.Values)
	if math.IsNaN(low) || low <= 0 {
		return 0
	}
	return high / low
}

func sorted(lines []int) []int {
	slices.Sort(lines)
	return lines
}

// NoteTwins adds a warning for each group of molecules that the model cannot distinguish and that have opposite
// labels. A group holds indices of SMILES. Kept repeats are one molecule, and not stereoisomers.
func (s *Support) NoteTwins(groups [][]int) {
	var notes []note.Note
	rows, many := map[string][]int{}, map[string]int{} // by the reason
	for _, group := range groups {
		var of [2][]string
		for _, i := range group {
			row := strings.TrimPrefix(Named{Line: s.Lines[i], Name: s.Names[i]}.String(), "row ")
			of[s.Labels[i]] = append(of[s.Labels[i]], row)
		}
		if len(of[0]) == 0 || len(of[1]) == 0 {
			continue
		}
		are := "is"
		if len(of[1]) > 1 {
			are = "are"
		}
		text, why := fmt.Sprintf("%s %s active, %s inactive, and this model sees one molecule", rowsText(of[1]), are, rowsText(of[0])), ""
		if !s.repeated(group) {
			why = ": it does not read stereochemistry, and stereoisomers share a score"
		}
		notes = append(notes, note.Note{Warning: true, Text: text + why})
		rows[why] = append(rows[why], each.At(s.Lines, group)...)
		many[why]++
	}
	if len(notes) <= fewConflicts {
		s.Notes = append(s.Notes, notes...)
		return
	}
	for _, why := range slices.Sorted(maps.Keys(rows)) {
		s.Notes = append(s.Notes, note.Note{Warning: true, Rows: sorted(rows[why]),
			Text: fmt.Sprintf("%d groups of molecules have both labels, and this model sees one molecule in each", many[why]) + why})
	}
}

// repeated reports whether a group is rows of one molecule.
func (s *Support) repeated(group []int) bool {
	return slices.ContainsFunc(s.Repeats, func(r Repeat) bool {
		return !slices.ContainsFunc(group, func(i int) bool { return !slices.Contains(r.Lines, s.Lines[i]) })
	})
}
