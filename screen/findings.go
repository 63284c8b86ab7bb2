package screen

import (
	"fmt"
	"strings"

	"pacia/data/note"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/screen/ranking"
)

// listed is the maximum number of molecules that are listed one by one.
const listed = 20

// Lines formats the notes of a file. Notes about the whole file share one line; warnings and notes about
// rows have a line each.
func Lines(file string, notes []note.Note) []string {
	var whole, lines []string
	for _, n := range notes {
		switch {
		case n.Warning:
			lines = append(lines, file+": warning: "+n.String())
		case len(n.Rows) > 0:
			lines = append(lines, file+": "+n.String())
		default:
			whole = append(whole, n.String())
		}
	}
	if len(whole) > 0 {
		lines = append([]string{file + ": " + strings.Join(whole, ", ")}, lines...)
	}
	return lines
}

// Findings returns lines that report how a file of labelled molecules was interpreted and which molecules are left
// out. The line about labels is omitted if each molecule has a plain label, unless the user named the column.
func Findings(s *ranking.Support, named bool) []string {
	lines := Lines(s.File, s.Notes)
	if named || s.Rule != nil || s.Empty+len(s.Undecided) > 0 {
		lines = append(lines, s.File+": "+labelsOf(s))
	}
	for i, m := range s.Unread {
		if i == listed {
			lines = append(lines, fmt.Sprintf("%s: %s more left out", s.File, ui.Count(len(s.Unread)-listed, "molecule")))
			break
		}
		lines = append(lines, fmt.Sprintf("%s: %s left out, it cannot be read: %v", s.File, m, m.Reason))
	}
	return lines
}

// FindingsOfBoth returns the lines of Findings, followed by lines that report how the files of a library were
// interpreted.
func FindingsOfBoth(s *ranking.Support, named bool, library *ranking.Table) []string {
	lines := Findings(s, named)
	for _, f := range library.Notes() {
		lines = append(lines, Lines(f.File, f.Notes)...)
	}
	return lines
}

// labelsOf describes the labels, such as "label hit: 9 active, 6 inactive, 2 not decided (row 3, row 9)".
func labelsOf(s *ranking.Support) string {
	counts := s.Counts()
	var b strings.Builder
	b.WriteString("label " + s.Column + ": " + ui.Grouped(counts[1]) + " active")
	if s.Rule != nil {
		b.WriteString(" (" + s.Rule.String() + ")")
	}
	b.WriteString(", " + ui.Grouped(counts[0]) + " inactive")
	if n := len(s.Undecided); n > 0 {
		rows := each.Of(s.Undecided[:min(n, listed)], func(m ranking.Named) string { return m.String() })
		if n > listed {
			rows = append(rows, "…")
		}
		b.WriteString(", " + ui.Grouped(n) + " not decided (" + strings.Join(rows, ", ") + ")")
	}
	if s.Empty > 0 {
		b.WriteString(", " + ui.Grouped(s.Empty) + " without a label")
	}
	return b.String()
}
