package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"pacia/data"
	"pacia/internal/ui"
)

func newPrepare() *cobra.Command {
	var o data.Options
	var encoder string
	c := &cobra.Command{
		Use:   "prepare FILE…",
		Short: "Parse the molecules of data sets into the graph store",
		Long: `Parse the molecules of data sets into the graph store, so that training finds
them there. Training does the same when it meets a file for the first time. A
data set is a CSV file or a folder of FS-Mol's task files.`,
		Example: `  pacia data prepare tox21.csv.gz
  pacia data prepare fsmol --encoder pna`,
		Args: files,
		RunE: func(c *cobra.Command, args []string) error {
			for _, file := range args {
				if err := prepare(c, file, encoder, o); err != nil {
					return err
				}
			}
			return nil
		},
	}
	addDataOptions(c, &o)
	c.Flags().StringVar(&encoder, "encoder", "gin", "the `ENCODER` that will read them, as in model.encoder: pna reads other features of atoms")
	return c
}

func prepare(c *cobra.Command, file, encoder string, o data.Options) error {
	begun := time.Now()
	d, err := openData(c, file, encoder, o)
	if err != nil {
		return err
	}
	defer d.Close()
	if d.Stored.Path == "" {
		return fmt.Errorf("%s: the graph store cannot be written", file) // the reason was logged
	}
	did := "found in"
	if d.Stored.Built {
		did = fmt.Sprintf("parsed in %s into", ui.Seconds(time.Since(begun).Seconds()))
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %s molecules (%s more cannot be read), %s, %s %s (%s)\n", file,
		ui.Grouped(d.Store.Len()), ui.Grouped(len(d.Skipped)), ui.Count(len(d.Tasks), "task"), did, d.Stored.Path, ui.Bytes(d.Stored.Bytes))
	return err
}
