package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacia/data/label"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/screen/request"
)

// A perFile holds the options of single files, of flags with FILE=VALUE.
type perFile struct {
	single [][]table.FileOptions // what each FILE=VALUE may mean: both may contain an equals sign
}

// formFields are the fields about the form of a text or workbook.
func formFields() []request.Field {
	return slices.DeleteFunc(request.FieldsOf(new(table.Options)), func(f request.Field) bool { return f.Name == "smiles" })
}

// isForm reports whether a flag is one of formFields.
func isForm(name string) bool {
	return slices.ContainsFunc(formFields(), func(f request.Field) bool { return f.Name == name })
}

// add lets the flags of formFields also take FILE=VALUE, for one of several files.
func (r *perFile) add(c *cobra.Command) {
	for _, field := range formFields() {
		f := c.Flags().Lookup(field.Name)
		f.Value = &fileValue{Value: f.Value, field: field, files: r}
		f.Usage += "; FILE=… is for one file"
	}
}

// into moves the options of single files into o. It returns an error for a value that is not known, and for a file that is
// not among those given.
func (r *perFile) into(o *table.Options, files []string) error {
	for _, meanings := range r.single {
		one, err := meant(meanings, files)
		if err != nil {
			return err
		}
		o.Files = append(o.Files, one)
	}
	r.single = nil
	return o.Check()
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
	field request.Field
	files *perFile
	texts []string // all values as they were written
}

func (v *fileValue) Set(text string) error {
	v.texts = append(v.texts, text)
	var meanings []table.FileOptions
	var wrong error
	for i := range text {
		file, value := text[:i], strings.TrimPrefix(text[i:], "=")
		if text[i] != '=' || file == "" || value == "" {
			continue
		}
		one := table.FileOptions{File: file}
		flags := pflag.NewFlagSet(file, pflag.ContinueOnError)
		addFields(flags, &one.Options, []request.Field{v.field})
		if err := flags.Lookup(v.field.Name).Value.Set(value); err == nil {
			meanings = append(meanings, one)
		} else if wrong == nil {
			wrong = err
		}
	}
	switch {
	case meanings != nil:
		v.files.single = append(v.files.single, meanings)
		return nil
	case wrong != nil:
		return wrong
	}
	return v.Value.Set(text)
}

// GetSlice returns what was given, by which parts of a library get the same flags.
func (v *fileValue) GetSlice() []string { return v.texts }

func addTableOptions(c *cobra.Command, o *table.Options) {
	o.SMILES = "smiles"
	addFields(c.Flags(), o, request.FieldsOf(o))
}

// addLabelOptions adds the flags that define which molecules are active.
func addLabelOptions(c *cobra.Command, s *label.Settings) {
	addFields(c.Flags(), s, request.FieldsOf(s))
	c.PreRunE = func(c *cobra.Command, _ []string) error { return checkRules(c, request.Rules(s)) }
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
