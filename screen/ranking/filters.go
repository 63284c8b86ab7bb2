package ranking

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"pacia/data/label"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/ui"
)

// Unmet has a count for each filter of a [Wanted]: the patterns of Match, those of Exclude, the conditions.
type Unmet []unmet

type unmet struct {
	Rows     int `json:"rows"` // that do not fulfil it, whatever else they do not fulfil
	Examined int `json:"of"`   // rows that were looked at
}

// patterns returns the number of SMARTS.
func (w *Wanted) patterns() int { return len(w.Match) + len(w.Exclude) }

func (u Unmet) addOne(at int, fulfilled bool) {
	u[at].Examined++
	if !fulfilled {
		u[at].Rows++
	}
}

// add counts a row for the n filters from a place on. unmet are the places of those that it does not fulfil.
func (u Unmet) add(from, n int, unmet []int) {
	for i := range n {
		u[from+i].Examined++
	}
	for _, i := range unmet {
		u[from+i].Rows++
	}
}

// Join adds the counts of later rows.
func (u *Unmet) Join(of Unmet) {
	for len(*u) < len(of) {
		*u = append(*u, unmet{})
	}
	for i, one := range of {
		(*u)[i].Rows += one.Rows
		(*u)[i].Examined += one.Examined
	}
}

// A Filtered is one of the filters of a library, with what it did.
type Filtered struct {
	Filter  string `json:"filter"`         // match, exclude or where
	Text    string `json:"text"`           // SMARTS or condition
	LeftOut int    `json:"left_out"`       // rows that it leaves out; other filters may leave out the same
	Also    string `json:"also,omitempty"` // the SMARTS by which molecules are searched as well
	Note    string `json:"note,omitempty"` // what else there is to know
}

// String returns a text such as "6 by --exclude N(=O)=O, also read as [N+]([O-])=O".
func (f Filtered) String() string {
	text := ui.Grouped(f.LeftOut)
	if f.LeftOut == 0 {
		text = "none"
	}
	text += " by --" + f.Filter + " " + f.Text
	if f.Also != "" {
		text += ", also read as " + f.Also
	}
	if f.Note != "" {
		text += ": " + f.Note
	}
	return text
}

// Filters describes what each filter did with the rows of a library, by their counts and the cells of conditions.
func (t *Table) Filters(ctx context.Context, counts Unmet, cells Decimals) (all []Filtered, err error) {
	w := &t.options.Wanted
	also, err := w.Readings(ctx)
	if err != nil {
		return nil, err
	}
	for i, one := range counts[:min(len(counts), w.patterns())] {
		f := Filtered{Filter: "exclude", LeftOut: one.Rows, Also: also[i]}
		none, every := "no molecule has it", "every molecule has it"
		if i < len(w.Match) {
			f.Filter, f.Text = "match", w.Match[i]
			none, every = every, none
		} else {
			f.Text = w.Exclude[i-len(w.Match)]
		}
		f.Note = one.note(none, every)
		all = append(all, f)
	}
	for i, one := range counts[len(all):] {
		f := Filtered{Filter: "where", Text: w.Where[i], LeftOut: one.Rows, Note: one.note("every row fulfils it", "no row fulfils it")}
		if i < len(cells) {
			f.Note = strings.TrimPrefix(f.Note+cells[i].note(t.conditions[i], one), "; ")
		}
		all = append(all, f)
	}
	return all, nil
}

// note returns the text for a filter that leaves out no row, or every one.
func (u unmet) note(none, every string) string {
	switch {
	case u.Examined > 0 && u.Rows == 0:
		return none
	case u.Examined > 0 && u.Rows == u.Examined:
		return every
	}
	return ""
}

// note returns texts, each after a semicolon, on units that differ and on a text that no cell has.
func (s separated) note(c label.Condition, rows unmet) (text string) {
	if len(s.Units) > 1 {
		units := each.Of(s.Units, func(unit string) string { return cmp.Or(unit, "none") })
		text += "; cells have the units " + badinput.List(units) + ", and their numbers are compared"
	}
	if !c.IsText || c.Sign != "=" || rows.Rows < rows.Examined || len(s.Texts) == 0 {
		return text
	}
	if near := badinput.Nearest(c.Text, s.Texts); near != "" {
		return text + fmt.Sprintf("; did you mean %s?", near)
	}
	return text + "; cells are " + badinput.List(s.Texts)
}
