package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"pacia/data/source"
	"pacia/internal/ui"
)

func newPrepare() *cobra.Command {
	var o source.Options
	var encoder string
	var result asJSON
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
			defer leaveWhenAsked()()
			for _, file := range args {
				if err := prepare(c, file, encoder, o, result); err != nil {
					return err
				}
			}
			return nil
		},
	}
	addDataOptions(c, &o)
	result.add(c)
	c.Flags().StringVar(&encoder, "encoder", "gin", "the `ENCODER` that will read them, as in model.encoder: pna and film read other features of atoms")
	return c
}

// prepared is the result of pacia data prepare for one file.
type prepared struct {
	File      string  `json:"file"`
	Molecules int     `json:"molecules"`
	Skipped   int     `json:"skipped"`
	Tasks     int     `json:"tasks"`
	Store     string  `json:"store"`
	Bytes     int64   `json:"bytes"`
	Built     bool    `json:"built"` // by this call; false: it was there before
	Seconds   float64 `json:"seconds"`
}

func prepare(c *cobra.Command, file, encoder string, o source.Options, result asJSON) error {
	begun := time.Now()
	d, err := openData(c, file, encoder, o)
	if err != nil {
		return err
	}
	defer d.Close()
	if d.Stored.Path == "" {
		return fmt.Errorf("%s: the graph store cannot be written", file) // the reason was logged
	}
	took := time.Since(begun).Seconds()
	did := "found in"
	if d.Stored.Built {
		did = fmt.Sprintf("parsed in %s into", ui.Seconds(took))
	}
	_, err = fmt.Fprintf(result.textOut(c), "%s: %s molecules (%s more cannot be read), %s, %s %s (%s)\n", file,
		ui.Grouped(d.Store.Len()), ui.Grouped(len(d.Skipped)), ui.Count(len(d.Tasks), "task"), did, d.Stored.Path, ui.Bytes(d.Stored.Bytes))
	if err != nil {
		return err
	}
	return result.write(c, prepared{file, d.Store.Len(), len(d.Skipped), len(d.Tasks), d.Stored.Path, d.Stored.Bytes, d.Stored.Built, took})
}
