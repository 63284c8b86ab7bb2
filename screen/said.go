package screen

import (
	"fmt"
	"strings"

	"pacia/internal/ui"
	"pacia/screen/ranking"
)

// listed is how many molecules are listed one by one.
const listed = 20

// Said are lines that say what was told from a file of labelled molecules, and list those
// that are left out. Of a plain one with a label for each molecule there is nothing to
// say, unless the column was named.
func Said(s *ranking.Support, named bool) []string {
	var lines []string
	told := s.Told
	if named || s.Rule != nil || s.Empty+len(s.Undecided) > 0 {
		if told != "" {
			told += "; "
		}
		told += labelsOf(s)
	}
	if told != "" {
		lines = append(lines, s.File+": "+told)
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

// SaidOfBoth are SaidOfSupport, and what was told from the files of a library.
func SaidOfBoth(s *ranking.Support, named bool, library *ranking.Table) []string {
	return append(SaidOfSupport(s, named), library.Understood()...)
}

// SaidOfSupport are Said, and what is strange about the support set.
func SaidOfSupport(s *ranking.Support, named bool) []string {
	lines := Said(s, named)
	for _, rows := range s.Both() {
		lines = append(lines, s.File+": "+rows+" are one molecule with both labels")
	}
	return lines
}

// labelsOf is such as "label hit: 9 active, 6 inactive, 2 not decided (row 3, row 9)".
func labelsOf(s *ranking.Support) string {
	counts := s.Counts()
	var b strings.Builder
	b.WriteString("label " + s.Column + ": " + ui.Grouped(counts[1]) + " active")
	if s.Rule != nil {
		b.WriteString(" (" + s.Rule.String() + ")")
	}
	b.WriteString(", " + ui.Grouped(counts[0]) + " inactive")
	if n := len(s.Undecided); n > 0 {
		var rows []string
		for _, m := range s.Undecided[:min(n, listed)] {
			rows = append(rows, m.String())
		}
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
