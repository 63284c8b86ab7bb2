package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/data"
	"pacia/data/label"
	"pacia/data/note"
	"pacia/data/source"
	"pacia/data/workers"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/run/runconfig"
)

func newData() *cobra.Command {
	c := &cobra.Command{
		Use:   "data",
		Short: "Prepare data sets, and see what is in them",
		Args:  cobra.ArbitraryArgs, // group reports unknown ones
		RunE:  group,
	}
	c.AddCommand(newPrepare(), newInspect(), newFetch(), newConvert(), newExample(), newTargets())
	return c
}

// openData opens a file or a folder in the same way as training.
func openData(c *cobra.Command, path, encoder string, o source.Options) (*data.Dataset, error) {
	if _, err := o.Labels.Parse(); err != nil {
		return nil, err
	}
	of := config.Config{Threads: o.Threads, Data: runconfig.Data{
		Path: path, SMILES: o.SMILES, Delimiter: o.Delimiter, Encoding: o.Encoding, Sheet: o.Sheet, Header: o.Header, Cache: o.Cache,
		Label: o.Labels.Columns, ActiveBelow: o.Labels.Below, ActiveAbove: o.Labels.Above, Unit: o.Labels.Units, Decimal: o.Labels.Decimal,
		ValueUnit: o.Labels.ValueUnit, SignColumn: o.Labels.Signs, UnitColumn: o.Labels.UnitColumn, TypeColumn: o.Labels.Types, Type: o.Labels.Type,
		ActiveWords: o.Labels.Active, InactiveWords: o.Labels.Inactive, Conditions: strings.ReplaceAll(o.Labels.Rows, "\n", ";"),
		Ignore: o.Labels.Ignore,
	}}
	of.Model.Encoder = encoder
	ctx, done := showing(c.Context(), c)
	defer done()
	return evaluate.OpenData(ctx, of)
}

// showing returns a context that shows the progress of opening data sets on the command's
// standard error, until done is called, and the notes of each data set once.
func showing(ctx context.Context, c *cobra.Command) (shown context.Context, done func()) {
	l := ui.NewLoading(c.ErrOrStderr())
	return note.Once(workers.WithProgress(ctx, l.Show)), l.Close
}

func addDataOptions(c *cobra.Command, o *source.Options) {
	addTableOptions(c, &o.Options)
	addTaskOptions(c, &o.Labels)
	c.Flags().StringVar(&o.Cache, "cache", "", "`FOLDER` of the graph store (default pacia in the user's cache folder)")
	c.Flags().IntVar(&o.Threads, "threads", 0, "threads that parse; 0: all cores")
}

// addTaskOptions adds the flags that define which columns are tasks, and what is active in each.
func addTaskOptions(c *cobra.Command, s *label.Settings) {
	f := c.Flags()
	addLabelOptions(c, s)
	f.Lookup("label").Usage = "`NAMES` of the columns that are tasks, with ; between them (default all but those of molecules and names)"
	f.Lookup("active-below").Usage = "columns hold measurements, active is what is below this `VALUE`, or below one for each of --label with ; between them"
	f.Lookup("active-above").Usage = "columns hold measurements, active is what is above this `VALUE`, or above one for each of --label with ; between them"
	f.StringVar(&s.Ignore, "ignore", "", "`NAMES` of columns that are not tasks, with ; between them")
	f.Var((*rowsValue)(&s.Rows), "rows", "only rows that fulfil this `CONDITION` on a column, such as \"Target Name = Kinase A\", count; repeated: each of them")
}

// files requires at least one file.
func files(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return &badinput.Error{What: c.CommandPath() + " needs a file", Fix: "write " + c.CommandPath() + " FILE.csv.gz"}
}
