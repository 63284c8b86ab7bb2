package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"pacia/config"
	"pacia/data"
	"pacia/fault"
	"pacia/train"
)

func newData() *cobra.Command {
	c := &cobra.Command{
		Use:   "data",
		Short: "Prepare data sets, and see what is in them",
		Args:  cobra.ArbitraryArgs, // group answers for them
		RunE:  group,
	}
	c.AddCommand(newPrepare(), newInspect(), newFetch(), newConvert())
	return c
}

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
				if err := prepare(c.OutOrStdout(), file, encoder, o); err != nil {
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

// openData opens a file or a folder as training does.
func openData(path, encoder string, o data.Options) (*data.Dataset, error) {
	c := config.Config{Threads: o.Threads, Data: train.DataConfig{Path: path, SMILES: o.SMILES, Cache: o.Cache}}
	c.Model.Encoder = encoder
	return train.OpenData(c)
}

func addDataOptions(c *cobra.Command, o *data.Options) {
	c.Flags().StringVar(&o.SMILES, "smiles", "smiles", "`NAME` of the column with the molecules")
	c.Flags().StringVar(&o.Cache, "cache", "", "`FOLDER` of the graph store (default pacia in the user's cache folder)")
	c.Flags().IntVar(&o.Threads, "threads", 0, "threads that parse; 0: all cores")
}

// files demands one or more.
func files(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return &fault.Error{What: c.CommandPath() + " needs a file", Fix: "write " + c.CommandPath() + " FILE.csv.gz"}
}

func prepare(out io.Writer, file, encoder string, o data.Options) error {
	begun := time.Now()
	d, err := openData(file, encoder, o)
	if err != nil {
		return err
	}
	defer d.Close()
	if d.Stored.Path == "" {
		return fmt.Errorf("%s: the graph store cannot be written", file) // the reason was logged
	}
	did := "found in"
	if d.Stored.Built {
		did = fmt.Sprintf("parsed in %s into", seconds(time.Since(begun).Seconds()))
	}
	_, err = fmt.Fprintf(out, "%s: %s molecules (%s more cannot be read), %s, %s %s (%s)\n", file,
		group3(d.Store.Len()), group3(len(d.Skipped)), count(len(d.Tasks), "task"), did, d.Stored.Path, size(d.Stored.Bytes))
	return err
}
