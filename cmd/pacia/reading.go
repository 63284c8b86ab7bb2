package main

import (
	"io"

	"github.com/spf13/cobra"

	"pacia/data/table"
	"pacia/internal/ui"
	"pacia/screen"
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
type labelling struct{ screen.Labelling }

func (l *labelling) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&l.Column, "label", "", "`NAME` of the column with the labels or measurements (default told from the header)")
	f.StringVar(&l.Below, "active-below", "", "labels are measurements, active is what is below this `VALUE`")
	f.StringVar(&l.Above, "active-above", "", "labels are measurements, active is what is above this `VALUE`")
	f.StringVar(&l.Unit, "unit", "", "the `UNIT` of that value, such as uM, and of measurements without one")
	f.StringVar(&l.Decimal, "decimal", "", "the sign before decimals in measurements: . or , (default told from the column)")
}

// say prints lines for people.
func say(w io.Writer, lines []string) {
	for _, line := range lines {
		ui.Say(w, "%s\n", line)
	}
}
