package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pacia/cmd/pacia/internal/ranking"
	"pacia/fault"
	"pacia/internal/ui"
	"pacia/label"
	"pacia/table"
)

// reading are the flags of the commands that read files of molecules: what the files
// tell of themselves, said otherwise.
type reading struct{ table.Options }

func (r *reading) add(c *cobra.Command) {
	addTableOptions(c, &r.SMILES, &r.Delimiter, &r.Encoding, &r.Sheet)
}

func addTableOptions(c *cobra.Command, smiles, delimiter, encoding, sheet *string) {
	f := c.Flags()
	f.StringVar(smiles, "smiles", "smiles", "`NAME` of the column with the molecules")
	f.StringVar(delimiter, "delimiter", "", "what is between cells: `comma`, semicolon, tab, bar or space (default told from the file)")
	f.StringVar(encoding, "encoding", "", "the text's `ENCODING`: utf-8, utf-16le, latin-1, … (default told from the file)")
	f.StringVar(sheet, "sheet", "", "`NAME` of a workbook's sheet (default the first with molecules)")
}

// labelling are the flags that say which molecules are active.
type labelling struct{ column, below, above, unit, decimal string }

func (l *labelling) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&l.column, "label", "", "`NAME` of the column with the labels or measurements (default told from the header)")
	f.StringVar(&l.below, "active-below", "", "labels are measurements, active is what is below this `VALUE`")
	f.StringVar(&l.above, "active-above", "", "labels are measurements, active is what is above this `VALUE`")
	f.StringVar(&l.unit, "unit", "", "the `UNIT` of that value, such as uM, and of measurements without one")
	f.StringVar(&l.decimal, "decimal", "", "the sign before decimals in measurements: . or , (default told from the column)")
}

// labels returns what the flags say, or what is wrong with them.
func (l *labelling) labels() (ranking.Labels, error) {
	rule, err := label.NewRule(l.below, l.above, l.unit)
	if err != nil {
		return ranking.Labels{}, err
	}
	as := ranking.Labels{Column: l.column, Rule: rule}
	switch l.decimal {
	case "":
	case ".", ",":
		as.Decimal = l.decimal[0]
	default:
		return as, &fault.Error{What: "--decimal " + l.decimal + " is not known", Fix: "write . or ,"}
	}
	return as, nil
}

// most is how many molecules are listed one by one.
const most = 20

// sayLabels says what was told from a file of labelled molecules, and lists those that
// are left out. Of a plain one with a label for each molecule there is nothing to say.
func sayLabels(w io.Writer, s *ranking.Support, named bool) {
	told := s.Told
	if named || s.Rule != nil || s.Empty+len(s.Undecided) > 0 {
		if told != "" {
			told += "; "
		}
		told += labelsOf(s)
	}
	if told != "" {
		ui.Say(w, "%s: %s\n", s.File, told)
	}
	for i, m := range s.Unread {
		if i == most {
			ui.Say(w, "%s: %s more left out\n", s.File, ui.Count(len(s.Unread)-most, "molecule"))
			break
		}
		ui.Say(w, "%s: %s left out, it cannot be read: %v\n", s.File, m, m.Reason)
	}
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
		for _, m := range s.Undecided[:min(n, most)] {
			rows = append(rows, m.String())
		}
		if n > most {
			rows = append(rows, "…")
		}
		b.WriteString(", " + ui.Grouped(n) + " not decided (" + strings.Join(rows, ", ") + ")")
	}
	if s.Empty > 0 {
		b.WriteString(", " + ui.Grouped(s.Empty) + " without a label")
	}
	return b.String()
}
