package main

import (
	"context"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/data"
	"pacia/evaluate"
	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/run/runconfig"
)

func newData() *cobra.Command {
	c := &cobra.Command{
		Use:   "data",
		Short: "Prepare data sets, and see what is in them",
		Args:  cobra.ArbitraryArgs, // group answers for them
		RunE:  group,
	}
	c.AddCommand(newPrepare(), newInspect(), newFetch(), newConvert(), newExample(), newTargets())
	return c
}

// openData opens a file or a folder as training does.
func openData(c *cobra.Command, path, encoder string, o data.Options) (*data.Dataset, error) {
	if _, err := o.Labels.Parse(); err != nil {
		return nil, err
	}
	of := config.Config{Threads: o.Threads, Data: runconfig.Data{
		Path: path, SMILES: o.SMILES, Delimiter: o.Delimiter, Encoding: o.Encoding, Sheet: o.Sheet, Cache: o.Cache,
		Label: o.Labels.Columns, ActiveBelow: o.Labels.Below, ActiveAbove: o.Labels.Above, Unit: o.Labels.Units, Decimal: o.Labels.Decimal,
	}}
	of.Model.Encoder = encoder
	ctx, done := showing(c.Context(), c)
	defer done()
	return evaluate.OpenData(ctx, of)
}

// showing returns ctx with the opening of data sets shown on the command's stderr,
// until done is called.
func showing(ctx context.Context, c *cobra.Command) (shown context.Context, done func()) {
	l := ui.NewLoading(c.ErrOrStderr())
	return data.WithProgress(ctx, l.Show), l.Close
}

func addDataOptions(c *cobra.Command, o *data.Options) {
	addTableOptions(c, &o.SMILES, &o.Delimiter, &o.Encoding, &o.Sheet)
	f := c.Flags()
	f.StringVar(&o.Labels.Columns, "label", "", "`NAMES` of the columns that are tasks, with ; between them (default all but those of molecules and names)")
	f.StringVar(&o.Labels.Below, "active-below", "", "columns hold measurements, active is what is below this `VALUE`, or below one for each of --label with ; between them")
	f.StringVar(&o.Labels.Above, "active-above", "", "columns hold measurements, active is what is above this `VALUE`, or above one for each of --label with ; between them")
	f.StringVar(&o.Labels.Units, "unit", "", "the `UNIT` of that value, such as uM, and of measurements without one")
	f.StringVar(&o.Labels.Decimal, "decimal", "", "the sign before decimals in measurements: . or , (default told from the column)")
	c.Flags().StringVar(&o.Cache, "cache", "", "`FOLDER` of the graph store (default pacia in the user's cache folder)")
	c.Flags().IntVar(&o.Threads, "threads", 0, "threads that parse; 0: all cores")
}

// files demands one or more.
func files(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return &badinput.Error{What: c.CommandPath() + " needs a file", Fix: "write " + c.CommandPath() + " FILE.csv.gz"}
}
