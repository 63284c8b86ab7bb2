package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacia/data/label"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/ui"
)

// reading holds the flags for reading files of molecules. Without them, their values are
// found in the files.
type reading struct {
	table.Options
	single [][]table.FileOptions // what each FILE=VALUE may mean: both may contain an equals sign
}

func (r *reading) add(c *cobra.Command) { addTableOptions(c, &r.Options) }

// formFlags are the flags about the form of a text or workbook.
var formFlags = []string{"delimiter", "encoding", "sheet", "header"}

// perFile lets formFlags also take FILE=VALUE, for one of several files.
func (r *reading) perFile(c *cobra.Command) {
	for _, name := range formFlags {
		f := c.Flags().Lookup(name)
		f.Value = &fileValue{Value: f.Value, name: name, of: r}
		f.Usage += "; FILE=… is for one file"
	}
}

// check returns an error for a value that is not known, and for a file that is not among those given.
func (r *reading) check(files []string) error {
	for _, meanings := range r.single {
		one, err := meant(meanings, files)
		if err != nil {
			return err
		}
		r.Files = append(r.Files, one)
	}
	r.single = nil
	return r.Check()
}

// meant returns the meaning of a FILE=VALUE that names one of the files: by its path, or by its name if only one has it.
func meant(meanings []table.FileOptions, files []string) (one table.FileOptions, err error) {
	for _, one := range meanings {
		one.Exact = true
		if slices.ContainsFunc(files, one.Is) {
			return one, nil
		}
	}
	for _, one := range meanings {
		var named []string
		for _, file := range files {
			if one.Is(file) && !slices.Contains(named, file) {
				named = append(named, file)
			}
		}
		if len(named) > 1 {
			return one, &badinput.Error{Fix: "write FILE=VALUE with the path of one", What: fmt.Sprintf(
				"options are given for %s, which is the name of %s and of %s",
				badinput.Quote(one.File), badinput.Path(named[0]), badinput.Path(named[1]))}
		}
		if len(named) == 1 {
			one.File, one.Exact = named[0], true
			return one, nil
		}
	}
	return one, &badinput.Error{What: "options are given for " + badinput.Quote(meanings[0].File) + ", which is not one of the files",
		Fix: "write FILE=VALUE with the name of a file"}
}

// A fileValue is the value of a flag for all files, or as FILE=VALUE for one of them.
type fileValue struct {
	pflag.Value
	name  string
	of    *reading
	given []string // all values as they were written
}

func (v *fileValue) Set(text string) error {
	v.given = append(v.given, text)
	var meanings []table.FileOptions
	var wrong error
	for i := range text {
		file, value := text[:i], strings.TrimPrefix(text[i:], "=")
		if text[i] != '=' || file == "" || value == "" {
			continue
		}
		one := table.FileOptions{File: file}
		flags := pflag.NewFlagSet(file, pflag.ContinueOnError)
		addFormOptions(flags, &one.Options)
		if err := flags.Lookup(v.name).Value.Set(value); err == nil {
			meanings = append(meanings, one)
		} else if wrong == nil {
			wrong = err
		}
	}
	switch {
	case meanings != nil:
		v.of.single = append(v.of.single, meanings)
		return nil
	case wrong != nil:
		return wrong
	}
	return v.Value.Set(text)
}

// GetSlice returns what was given, by which parts of a library get the same flags.
func (v *fileValue) GetSlice() []string { return v.given }

func addTableOptions(c *cobra.Command, o *table.Options) {
	f := c.Flags()
	f.StringVar(&o.SMILES, "smiles", "smiles", "`NAME` of the column with the molecules (default: found by names and cells)")
	f.Lookup("smiles").DefValue = "" // the help has it in words
	addFormOptions(f, o)
}

// addFormOptions adds formFlags.
func addFormOptions(f *pflag.FlagSet, o *table.Options) {
	f.StringVar(&o.Delimiter, "delimiter", "", "the `SEPARATOR` of cells: comma, semicolon, tab, bar or space (default: found in the file)")
	f.StringVar(&o.Encoding, "encoding", "", "the text's `ENCODING`: utf-8, utf-16le, latin-1, … (default: found in the file)")
	f.StringVar(&o.Sheet, "sheet", "", "`NAME` of a workbook's sheet (default the first with molecules)")
	f.Var((*headerRow)(&o.Header), "header", "`ROW` of the header, from 1, or none (default: found in the file)")
}

// headerRow is the value of --header.
type headerRow int

func (h *headerRow) Set(text string) error {
	n, err := table.ParseHeader(text)
	*h = headerRow(n)
	return err
}

func (h *headerRow) String() string {
	switch *h {
	case 0:
		return ""
	case table.NoHeader:
		return "none"
	}
	return strconv.Itoa(int(*h))
}

func (h *headerRow) Type() string { return "row" }

// labelling holds the flags that define which molecules are active.
type labelling struct{ label.Settings }

func (l *labelling) add(c *cobra.Command) {
	l.One = true
	f := c.Flags()
	f.StringVar(&l.Columns, "label", "", "`NAME` of the column with the labels or measurements (default: found by the header)")
	f.StringVar(&l.Below, "active-below", "", "labels are measurements, active is what is below this `VALUE`, the threshold")
	f.StringVar(&l.Above, "active-above", "", "labels are measurements, active is what is above this `VALUE`, the threshold")
	addLabelOptions(c, &l.Settings)
}

// addLabelOptions adds the flags that are the same for one column of labels and for several.
func addLabelOptions(c *cobra.Command, s *label.Settings) {
	c.PreRunE = checkMeasurements
	f := c.Flags()
	f.StringVar(&s.Units, "unit", "", "the `UNIT` of the threshold, such as uM, and of measurements without one")
	f.StringVar(&s.ValueUnit, "value-unit", "", "the `UNIT` of measurements, where it is not that of the column's name or of the threshold")
	f.StringVar(&s.Decimal, "decimal", "", "the sign before decimals in measurements: . or , (default: found in the column)")
	f.StringVar(&s.Signs, "sign-column", "", "`NAME` of the column with signs such as > beside the measurements, or none (default: found by the header)")
	f.StringVar(&s.UnitColumn, "unit-column", "", "`NAME` of the column with the units of the measurements, or none (default: found by the header)")
	f.StringVar(&s.Types, "type-column", "", "`NAME` of the column with the types of the measurements, such as IC50, or none (default: found by the header)")
	f.StringVar(&s.Type, "type", "", "the `TYPE` of measurements that count, such as IC50 (default that of most)")
	f.StringVar(&s.Active, "active-words", "", "`WORDS` that mean active, with ; between them")
	f.StringVar(&s.Inactive, "inactive-words", "", "`WORDS` that mean inactive, with ; between them")
}

// rowsValue is the value of --rows: conditions, each in a line of its own.
type rowsValue string

func (v *rowsValue) Set(text string) error { *v += rowsValue(text + "\n"); return nil }

func (v *rowsValue) String() string { return strings.TrimSpace(string(*v)) }

func (v *rowsValue) Type() string { return "condition" }

func printLines(w io.Writer, lines []string) {
	for _, line := range lines {
		ui.Say(w, "%s\n", line)
	}
}
